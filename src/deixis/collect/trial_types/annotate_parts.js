import { arrows, el } from "/static/web/dom.js";
import { fitted, middle, polygon, shape } from "/static/web/tangram.js";

const COLORS = ["#e5484d", "#2b9a66", "#3e63dd", "#e2a300", "#8e4ec6", "#e93d82", "#f76b15"];
const UNKNOWN = "UNKNOWN";

/** What is compared and exported: NFC, without blanks at the ends. */
const normal = (text) => text.normalize("NFC").trim();

/** Groups of pieces by name, in the order in which they came to be; see `replay` in Python. */
function replay(log) {
  const groups = new Map();
  for (const step of log) {
    const name = step.do === "unknown" ? UNKNOWN : normal(step.name);
    if (step.do === "remove") groups.delete(name);
    else if (groups.has(name)) groups.get(name).pieces.unshift(...step.pieces);
    else groups.set(name, { color: COLORS[Math.min(...step.pieces) - 1], pieces: [...step.pieces] });
  }
  return groups;
}

export function mount(root, stimulus, host) {
  new Annotation(root, stimulus, host);
  return { title: "Which pieces make which part?" };
}

class Annotation {
  constructor(root, stimulus, host) {
    this.host = host;
    this.pieces = [...stimulus.drawing.pieces];
    this.log = [...(host.draft?.log ?? [])];
    this.picked = [...(host.draft?.picked ?? [])];
    this.drawPicture(stimulus.drawing);
    this.drawForm(stimulus.whole, host.draft?.typed ?? "");
    root.append(el("div", { class: "annotate" }, el("div", { class: "paper fitted" }, this.picture), this.side));
    this.refresh();
  }

  // ---- the picture ----

  drawPicture(drawing) {
    this.picture = shape("svg", { viewBox: fitted(drawing), class: "tangram pieces", role: "group" });
    this.picture.setAttribute("aria-label", "The shape: choose pieces, then name them");
    this.polygons = new Map();
    for (const piece of drawing.pieces) {
      const made = polygon(piece, drawing.line);
      made.setAttribute("role", "button");
      made.setAttribute("tabindex", "0");
      made.dataset.piece = piece.piece;
      made.addEventListener("click", () => this.toggle(piece.piece));
      made.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.toggle(piece.piece);
      });
      made.addEventListener("focus", () => this.ring.setAttribute("points", piece.points));
      made.addEventListener("blur", () => this.ring.setAttribute("points", ""));
      this.polygons.set(piece.piece, made);
      this.picture.append(made);
    }
    this.over = shape("g");
    this.ring = shape("polygon", { class: "ring", points: "" });
    this.picture.append(this.over, this.ring);
    arrows(this.picture, "[data-piece]");
  }

  toggle(piece) {
    if (this.named().has(piece)) {
      this.hint("This piece has a name already; take the part back to change it.");
      return;
    }
    if (this.picked.includes(piece)) this.picked = this.picked.filter((other) => other !== piece);
    else this.picked.push(piece);
    this.changed();
  }

  // ---- the form ----

  drawForm(whole, typed) {
    this.field = el("input", { "data-name": "", dir: "auto", autocomplete: "off", autocapitalize: "off", maxlength: 400, value: typed });
    this.field.addEventListener("input", () => this.changed());
    this.add = el("button", { class: "first", "data-annotate": "" }, "Name it");
    this.unknown = el("button", { type: "button", "data-unknown": "", onclick: () => this.step({ do: "unknown" }) }, "I don’t know");
    const form = el(
      "form",
      {},
      el("div", { class: "field" }, el("label", {}, "Name of this part", this.field), this.add, this.unknown),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.add.disabled) this.step({ do: "name", name: this.field.value });
      else this.hint(this.picked.length ? "Type a name first." : "Choose one piece or more first.");
    });
    this.list = el("ol", { class: "parts", "data-parts": "", "aria-label": "Parts" });
    this.said = el("p", { class: "soft", role: "status" });
    this.left = el("span", { class: "soft" });
    this.done = el("button", { class: "first", type: "button", "data-submit": "", onclick: () => this.submit() }, "Submit");
    this.side = el(
      "div",
      {},
      el("p", { class: "called" }, "You called it ", el("strong", { dir: "auto" }, whole || "a shape"), ". Choose the pieces of a part, name it, and go on until all seven have a name."),
      form,
      this.said,
      this.list,
      el("div", { class: "bar" }, this.done, this.left),
    );
  }

  step(step) {
    const pieces = step.do === "remove" ? [] : this.picked;
    if (step.do !== "remove" && !pieces.length) return this.hint("Choose one piece or more first.");
    this.log.push({ name: "", ...step, pieces, ms: this.host.elapsed() });
    if (step.do !== "remove") {
      this.picked = [];
      this.field.value = "";
    }
    this.changed();
    if (step.do === "name" && / and /.test(normal(step.name))) {
      this.hint("If these are two parts, please name them one by one.");
    }
    const next = [...this.polygons.values()].find((made) => made.getAttribute("aria-disabled") === "false");
    (next ?? this.done).focus({ preventScroll: true });
    return undefined;
  }

  hint(sentence) {
    this.said.textContent = sentence;
  }

  // ---- what follows from the log ----

  named() {
    const found = new Map();
    for (const [name, group] of this.groups) for (const piece of group.pieces) found.set(piece, { name, group });
    return found;
  }

  get groups() {
    return replay(this.log);
  }

  changed() {
    this.refresh();
    this.host.save({ log: this.log, picked: this.picked, typed: this.field.value });
  }

  refresh() {
    const groups = this.groups;
    const named = this.named();
    const numbers = new Map([...groups.keys()].map((name, place) => [name, place + 1]));
    this.over.replaceChildren();
    for (const piece of this.pieces) this.paint(piece, named.get(piece.piece), numbers);
    this.list.replaceChildren(...[...groups].map(([name, group]) => this.entry(name, group, numbers.get(name))));
    const typed = normal(this.field.value);
    this.add.textContent = groups.has(typed) ? `Add to “${typed}”` : "Name it";
    this.add.disabled = !this.picked.length || !/[\p{L}\p{N}]/u.test(typed);
    this.unknown.disabled = !this.picked.length;
    this.done.disabled = named.size < 7;
    this.left.textContent = `${named.size} of 7 pieces have a name`;
    this.hint(named.size === 7 && groups.size === 1 ? "All seven pieces have one name. If you see several parts, please tell them apart." : "");
  }

  paint(piece, held, numbers) {
    const made = this.polygons.get(piece.piece);
    const picked = this.picked.includes(piece.piece);
    made.setAttribute("fill", held ? held.group.color : picked ? "#7d8694" : piece.fill);
    made.setAttribute("aria-pressed", picked);
    made.setAttribute("aria-disabled", Boolean(held));
    const part = held ? `, part of ${held.name}` : picked ? ", chosen" : "";
    made.setAttribute("aria-label", `Piece ${piece.piece}, ${piece.shape}${part}`);
    if (picked) this.over.append(shape("polygon", { class: "picked", points: piece.points }));
    if (held) {
      const [x, y] = middle(piece);
      const label = shape("text", { x, y, "aria-hidden": "true" });
      label.textContent = numbers.get(held.name);
      this.over.append(label);
    }
  }

  entry(name, group, number) {
    const chip = el("span", { class: "chip", "aria-hidden": "true" }, `${number}`);
    chip.style.backgroundColor = group.color;
    const count = group.pieces.length === 1 ? "1 piece" : `${group.pieces.length} pieces`;
    const label = name === UNKNOWN ? "I don’t know" : name;
    const remove = el("button", { type: "button", "data-remove": "", onclick: () => this.step({ do: "remove", name }) }, "Take back", el("span", { class: "hidden" }, ` ${label}`));
    return el("li", {}, chip, el("span", { class: "name", dir: "auto" }, label), el("span", { class: "soft" }, count), remove);
  }

  submit() {
    const named = this.named();
    if (named.size < 7) return;
    const parts = Object.fromEntries([...named].map(([piece, { name }]) => [piece, name]));
    this.host.submit({ log: this.log, parts });
  }
}
