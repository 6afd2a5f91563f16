import { arrows, el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

/** A description above pictures, or a picture above descriptions; one click is the answer. */
export function mount(root, stimulus, host) {
  const { texts, drawings, tokens } = stimulus;
  const given = texts.length === 1;
  const buttons = tokens.map((token, number) => {
    const inside = given ? draw(drawings[number]) : lead(texts[number]);
    const label = given ? `Picture ${number + 1} of ${tokens.length}` : null;
    return el("button", { type: "button", "data-token": token, "aria-label": label, onclick: () => choose(token) }, inside);
  });
  let chosen = null;
  function choose(token) {
    if (chosen) return;
    chosen = token;
    for (const button of buttons) button.disabled = true;
    host.submit({ token, ms: host.elapsed() });
  }
  const list = el("ul", { class: given ? "grid" : "grid texts" }, buttons.map((button) => el("li", {}, button)));
  arrows(list, "button");
  const told = el("div", { role: "status" });
  root.append(
    given
      ? el("p", { class: "lead" }, ...opening(texts[0]), lead(texts[0]))
      : el("div", { class: "alone paper" }, draw(drawings[0], "The picture that is meant")),
    list,
    told,
  );
  return { feedback: (answer, next) => explain(buttons, chosen, told, answer, next) };
}

function opening(text) {
  if (!text.whole) return [];
  return /^(a|an|the)\s/i.test(text.whole) ? ["This looks like… "] : ["This looks like a… "];
}

/** The whole, and its parts behind it, each on its color where pictures are painted. */
function lead(text) {
  const parts = text.parts.flatMap((part, number) => [
    number ? " and " : "",
    el("bdi", { class: part.color ? "part colored" : "part", "data-color": part.color || null }, part.name),
  ]);
  const made = el("span", {}, text.whole ? el("strong", { dir: "auto" }, text.whole, parts.length ? "" : "!") : null);
  if (parts.length) made.append(text.whole ? " (with " : "It has ", ...parts, text.whole ? ")!" : ".");
  for (const chip of made.querySelectorAll("[data-color]")) chip.style.backgroundColor = chip.dataset.color;
  return made;
}

function explain(buttons, chosen, told, answer, next) {
  for (const button of buttons) {
    const token = button.dataset.token;
    if (token === answer.target) button.classList.add("target");
    else if (token === chosen) button.classList.add("chosen");
  }
  const place = buttons.findIndex((button) => button.dataset.token === answer.target) + 1;
  const sentence = answer.right ? "Correct!" : `Not this one: picture ${place} was meant.`;
  const go = el("button", { class: "first", "data-continue": "", onclick: next }, "Continue");
  told.replaceChildren(
    el("p", { class: answer.right ? "note good" : "note bad" }, sentence),
    go,
  );
  go.focus();
}
