// A page that is a live dialog and nothing else.

import { el } from "/static/web/dom.js";
import { ENDS, Line, Table } from "./table.js";

const stage = document.getElementById("talk");
const saved = document.getElementById("saved");
const place = document.getElementById("place");
const leave = document.getElementById("leave");
const name = stage.dataset.parlour;

/** The person's own token, kept for as long as the tab lives. */
function token() {
  let made = sessionStorage.getItem(`talk-${name}`);
  if (!made) {
    made = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem(`talk-${name}`, made);
  }
  return made;
}

function ended(page) {
  return [
    el("h1", { tabindex: "-1", "data-outcome": page.over }, page.over === "completed" ? "Thank you!" : "The end"),
    el("p", {}, ENDS[page.over] ?? page.over),
    page.debriefing ? el("p", { class: "note" }, page.debriefing) : null,
  ].filter(Boolean);
}

stage.querySelector("[data-begin]").addEventListener("click", () => {
  const card = el("section", { class: "card trial" });
  stage.replaceChildren(card);
  let table = null;
  const line = new Line(name, token(), {
    show: (page, error) => {
      table.show(page, error);
      if (error) return;
      leave.hidden = Boolean(page.over);
      place.textContent = page.turns ? `Round ${page.turns.length} of ${page.rounds}` : "";
    },
    tell: (sentence) => {
      saved.textContent = sentence;
    },
  });
  table = new Table(card, line, ended);
  leave.addEventListener("click", () => {
    if (!line.over) line.say("end", {});
  });
});
