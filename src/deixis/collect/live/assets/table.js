// A live dialog on a page: a socket that comes back, and what is drawn of what it tells.

import { arrows, el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

const BEAT = 5000;
const AGAIN = 1000;

/** Where the keyboard goes after a change: to what is to be done now, or else to what was said. */
const NEXT = ["[data-go-on]", "[data-ready]", "[data-text]", "[data-place][aria-pressed=true]:enabled", "[data-place]:enabled", ".said"];

export const ENDS = {
  completed: "You have gone through all rounds.",
  left: "The dialog has ended, since one of you left.",
  "partner lost": "Your partner has not come back. You need do nothing more, and are paid in full.",
  "nobody came": "Nobody has come to talk to. Thank you for waiting.",
};

/** A socket that comes back, and says again what was not acknowledged. */
export class Line {
  constructor(name, token, { show, tell }) {
    Object.assign(this, { name, token, show, tell });
    this.unsaid = new Map();
    this.over = false;
    this.stopped = false;
    this.open();
    this.beat = setInterval(() => this.send({ key: `beat-${Date.now()}` }), BEAT);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/live/${this.name}`);
    this.socket.onopen = () => {
      this.socket.send(JSON.stringify({ token: this.token }));
      for (const message of this.unsaid.values()) this.socket.send(JSON.stringify(message));
      this.told();
    };
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    this.socket.onclose = ({ code }) => {
      if (this.over || this.stopped || code >= 4400) return this.stop();
      this.tell("The connection is lost; trying again…");
      setTimeout(() => this.open(), AGAIN);
    };
  }

  hear(said) {
    if (said.page) {
      this.over = Boolean(said.page.over);
      this.show(said.page, "");
      return;
    }
    this.unsaid.delete(said.key);
    this.told();
    if (said.error) this.show(null, said.error);
  }

  say(kind, body) {
    const message = { key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`.replace(".", ""), kind, body };
    this.unsaid.set(message.key, message);
    this.told();
    this.send(message);
  }

  told() {
    this.tell(this.unsaid.size ? `${this.unsaid.size} not yet saved` : "Everything is saved.");
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** No more beats, and no more coming back. */
  stop() {
    this.stopped = true;
    clearInterval(this.beat);
    this.socket.close();
  }
}

/** Draws a dialog into an element, page after page; what was typed meanwhile stays. */
export class Table {
  constructor(root, line, ended) {
    Object.assign(this, { root, line, ended, pool: [], image: null });
  }

  show(page, error) {
    this.root.querySelector("[role=alert]")?.remove();
    if (error) {
      this.root.prepend(el("p", { class: "note bad", role: "alert" }, error));
      return;
    }
    this.pool = page.pool ?? this.pool;
    this.image = page.image ?? this.image;
    const typed = this.root.querySelector("[data-text]")?.value ?? "";
    const parts = [];
    if (page.over) parts.push(...this.ended(page));
    else if (page.waiting) parts.push(el("p", { role: "status" }, "We are looking for a partner. Please keep this page open."));
    else if (page.move === "ready") parts.push(el("p", {}, "Your partner is here."), el("button", { type: "button", class: "first", "data-ready": "", onclick: () => this.line.say("ready", {}) }, "I am ready"));
    else if (!page.turns) parts.push(el("p", { role: "status" }, "Your partner is getting ready."));
    if (page.turns && !page.over) parts.push(...this.table(page, typed));
    this.root.dataset.move = page.over ? "" : page.move;
    this.root.dataset.seq = page.seq;
    const held = document.activeElement === document.body || this.root.contains(document.activeElement);
    this.root.replaceChildren(...parts);
    const said = this.root.querySelector(".said");
    if (said) said.scrollTop = said.scrollHeight;
    const next = NEXT.map((where) => this.root.querySelector(where)).find(Boolean);
    if (held) next?.focus({ preventScroll: !next.matches("[data-text]") });
  }

  table(page, typed) {
    const said = page.turns.flatMap(([question, answer]) => [
      el("dt", { dir: "auto" }, question),
      el("dd", { dir: "auto" }, answer || "…"),
    ]);
    const parts = [el("p", { class: "lead", dir: "auto" }, page.caption)];
    if (said.length) parts.push(el("div", { class: "said", role: "log", tabindex: "0", "aria-label": "What was said" }, el("dl", {}, said)));
    if (page.role === "answerer" && this.image) parts.push(el("div", { class: "paper alone" }, draw(this.image, "The picture that you see")));
    if (page.move === "question" || page.move === "answer") parts.push(this.entry(page.move, typed));
    else parts.push(el("p", { role: "status" }, page.move === "guess" ? "Which picture is it, as far as you can tell now?" : "It is your partner’s turn."));
    if (page.role === "questioner") parts.push(this.pictures(page));
    return parts;
  }

  pictures(page) {
    const guessed = page.guesses.at(-1);
    const items = this.pool.map((drawing, place) =>
      el("li", {}, el("button", {
        type: "button",
        "aria-pressed": String(place === guessed),
        "data-place": String(place),
        "aria-label": `Picture ${place + 1} of ${this.pool.length}`,
        disabled: page.move !== "guess",
        onclick: () => this.line.say("guess", { place }),
      }, draw(drawing))),
    );
    const list = el("ul", { class: "grid" }, items);
    arrows(list, "button");
    return list;
  }

  entry(kind, typed) {
    const text = el("input", { type: "text", maxlength: "200", dir: "auto", autocomplete: "off", "data-text": "", "aria-label": `Your ${kind}` });
    text.value = typed;
    const form = el("form", { class: "field" }, text, el("button", { class: "first" }, kind === "question" ? "Ask" : "Answer"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.line.say(kind, { text: text.value });
      text.value = "";
    });
    return form;
  }
}
