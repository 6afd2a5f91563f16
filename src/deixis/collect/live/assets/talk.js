import { arrows, el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

const stage = document.getElementById("talk");
const saved = document.getElementById("saved");
const name = stage.dataset.parlour;
const BEAT = 5000;
const ENDS = {
  completed: "Thank you! You have gone through all rounds.",
  left: "The dialog has ended, since one of you left.",
  "partner lost": "Your partner has not come back. You need do nothing more, and are paid in full.",
  "nobody came": "Nobody has come to talk to. Please try again later.",
};

/** The person's own token, kept for as long as the tab lives. */
function token() {
  let made = sessionStorage.getItem(`talk-${name}`);
  if (!made) {
    made = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem(`talk-${name}`, made);
  }
  return made;
}

/** A socket that comes back, and says again what was not acknowledged. */
class Line {
  constructor(show) {
    this.show = show;
    this.unsaid = new Map();
    this.over = false;
    this.open();
    setInterval(() => this.send({ key: `beat-${Date.now()}` }), BEAT);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/live/${name}`);
    this.socket.onopen = () => {
      this.socket.send(JSON.stringify({ token: token() }));
      for (const message of this.unsaid.values()) this.socket.send(JSON.stringify(message));
    };
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    this.socket.onclose = () => {
      if (this.over) return;
      saved.textContent = "The connection is lost; trying again…";
      setTimeout(() => this.open(), 1000);
    };
  }

  hear(said) {
    if (said.page) {
      this.over = Boolean(said.page.over);
      this.show(said.page, "");
      return;
    }
    this.unsaid.delete(said.key);
    saved.textContent = this.unsaid.size ? `${this.unsaid.size} not yet saved` : "Everything is saved";
    if (said.error) this.show(null, said.error);
  }

  say(kind, body) {
    const message = { key: crypto.randomUUID(), kind, body };
    this.unsaid.set(message.key, message);
    saved.textContent = "1 not yet saved";
    this.send(message);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

let pool = [];
let last = null;

function show(line, page, error) {
  if (error) {
    stage.prepend(el("p", { class: "note bad", role: "alert" }, error));
    return;
  }
  last = page;
  pool = page.pool ?? pool;
  document.getElementById("leave").hidden = Boolean(page.over);
  document.getElementById("place").textContent = page.turns ? `Round ${page.turns.length} of ${page.rounds}` : "";
  const parts = [];
  if (page.over) parts.push(el("h1", { "data-outcome": page.over }, ENDS[page.over] ?? page.over), page.debriefing ? el("p", { class: "note" }, page.debriefing) : null);
  else if (page.waiting) parts.push(el("p", { role: "status" }, "We are looking for a partner. Please keep this page open."));
  else if (page.move === "ready") parts.push(el("p", {}, "Your partner is here."), button("I am ready", () => line.say("ready", {})));
  else if (!page.turns) parts.push(el("p", { role: "status" }, "Your partner is getting ready."));
  if (page.turns && !page.over) parts.push(...table(line, page));
  stage.replaceChildren(el("section", { class: "card trial" }, parts));
  stage.querySelector("[data-text]")?.focus();
}

function table(line, page) {
  const said = page.turns.map(([question, answer]) => [
    el("dt", { dir: "auto" }, question),
    el("dd", { dir: "auto" }, answer || "…"),
  ]);
  const parts = [el("p", { class: "lead", dir: "auto" }, page.caption), el("dl", { role: "log" }, said)];
  if (page.image) parts.push(el("div", { class: "paper" }, draw(page.image, "The picture that you see")));
  if (page.role === "questioner") parts.push(pictures(line, page));
  if (page.move === "question" || page.move === "answer") parts.push(entry(line, page.move));
  else if (!page.move) parts.push(el("p", { role: "status" }, "It is your partner’s turn."));
  return parts;
}

function pictures(line, page) {
  const guessed = page.guesses.at(-1);
  const guessing = page.move === "guess";
  const items = pool.map((drawing, place) =>
    el("li", {}, el("button", {
      type: "button",
      class: place === guessed ? "chosen" : null,
      "data-place": String(place),
      "aria-label": `Picture ${place + 1} of ${pool.length}`,
      disabled: !guessing,
      onclick: () => line.say("guess", { place }),
    }, draw(drawing))),
  );
  const list = el("ul", { class: "grid" }, items);
  arrows(list, "button");
  return el("div", {}, el("p", {}, guessing ? "Which picture is it, as far as you can tell now?" : "Your last guess is marked."), list);
}

function entry(line, kind) {
  const text = el("input", { type: "text", maxlength: "200", dir: "auto", "data-text": "", "aria-label": `Your ${kind}` });
  const form = el("form", {}, text, el("button", { class: "first" }, kind === "question" ? "Ask" : "Answer"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    line.say(kind, { text: text.value });
  });
  return form;
}

function button(label, onclick) {
  return el("button", { type: "button", class: "first", "data-ready": "", onclick }, label);
}

stage.querySelector("[data-begin]").addEventListener("click", () => {
  const line = new Line((page, error) => show(line, page, error));
  document.getElementById("leave").addEventListener("click", () => {
    if (last && !last.over) line.say("end", {});
  });
});
