// The page of edits: what is in the form is played at once, and stands in the page's address.

import { el } from "/static/web/dom.js";
import { shape } from "/static/web/tangram.js";

const root = document.querySelector(".edit");
const slots = [...document.querySelectorAll(".slot")];
const errorNote = document.querySelector("[data-error]");
const fileNote = document.querySelector("[data-file-error]"); // its own: a replay may end meanwhile
const stateNote = document.querySelector("[data-state]");
const sides = document.querySelector("[data-sides]");
let latest = 0;
let timer = null;

/** The value of a slot as edits write it; null where it is as it was. */
function valueOf(slot) {
  const original = JSON.parse(slot.dataset.original);
  const kind = slot.dataset.kind;
  let value;
  if (kind === "text") value = slot.querySelector("textarea").value;
  else if (kind === "names") {
    value = [...slot.querySelectorAll(".names input")].map((i) => i.value.trim()).filter(Boolean);
  } else if (kind === "paint") value = JSON.parse(slot.querySelector("[data-value]").dataset.value);
  else {
    value = slot.querySelector("select").value;
    if (value === "picture:") {
      const name = slot.querySelector("input").value.trim();
      value = name ? value + name : "";
    }
    return value || null;
  }
  return JSON.stringify(value) === JSON.stringify(original) ? null : value;
}

function edits() {
  const made = [];
  for (const slot of slots) {
    const value = valueOf(slot);
    slot.classList.toggle("edited-slot", value !== null);
    if (value === null) continue;
    const one = { channel: slot.dataset.channel };
    if (slot.dataset.at !== undefined) one.at = Number(slot.dataset.at);
    made.push({ ...one, value });
  }
  return made;
}

function say(note, text) {
  note.textContent = text;
  note.hidden = !text;
}

async function replay() {
  const number = ++latest;
  const body = JSON.stringify({ id: root.dataset.trial, edits: edits() });
  let answer;
  try {
    const response = await fetch("/api/replay", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-deixis": "1" },
      body,
    });
    answer = await response.json();
  } catch {
    if (number !== latest) return;
    say(errorNote, "The server cannot be reached. Your edits stay here; they are played when it is back.");
    later(3000);
    return;
  }
  if (number !== latest) return; // a later change is under way
  if (answer.error) {
    say(errorNote, `${answer.error}. Your edits stay here.`);
    return;
  }
  say(errorNote, answer.state === "failed" ? `${answer.sentence}. Your edits stay here.` : "");
  say(stateNote, ["waiting", "empty"].includes(answer.state) ? answer.sentence : "");
  history.replaceState(null, "", `/edit?${answer.link}`);
  document.querySelector("[data-save]").href = `/edits.toml?${answer.link}`;
  texts(answer.texts);
  show(answer);
  if (answer.state === "waiting") later(700);
}

function later(time) {
  clearTimeout(timer);
  timer = setTimeout(replay, time);
}

/** Words of the originals that were changed are struck out. */
function texts(given) {
  for (const { key, before } of given) {
    const place = document.querySelector(`[data-key="${CSS.escape(key)}"] [data-before]`);
    if (place && before.length) place.replaceChildren(el("bdi", {}, pieces(before, "del")));
  }
}

function pieces(words, tag) {
  if (!words.length) return ["—"];
  return words.flatMap(([text, changed]) => [changed ? el(tag, {}, text) : text, " "]);
}

function show(answer) {
  const changed = answer.texts.filter((one) => one.changed);
  const made = [];
  if (changed.length) {
    made.push(el("ul", { class: "changes" }, changed.map((one) =>
      el("li", {}, el("span", { class: "soft" }, `${one.key.replace("-", " ")}: `), el("bdi", {}, pieces(one.after, "ins"))))));
  }
  if (answer.before) {
    made.push(heads(answer));
    if (answer.before.curve.length > 1) made.push(chart(answer));
    if (answer.turns.length) made.push(conversation(answer.turns));
  }
  if (answer.candidates.length) made.push(pairs(answer));
  if (answer.before && answer.before.tops.length) made.push(...tops(answer));
  sides.replaceChildren(...made);
}

function heads({ before, after }) {
  const side = (name, one, blue) => el("div", { "data-side": name.toLowerCase() },
    el("h3", { class: blue ? "blue" : "" }, name),
    el("p", { class: blue ? "blue" : "" }, one.status === "ok"
      ? `rank ${round(one.rank)} of ${one.size}, credit ${round(one.credit)}`
      : `no reply: ${one.status}`),
    one.raw.length ? el("p", { class: "soft" }, el("bdi", {}, one.raw.at(-1))) : null);
  return el("div", { class: "sides" }, side("Original", before, false), side("Edited", after, true));
}

/** What both talks were, round by round; what was said otherwise is blue. */
function conversation(turns) {
  const side = (which, tag) => turns.map(([question, answer]) => [
    el("dt", {}, el("bdi", {}, pieces(question[which], tag))),
    el("dd", {}, el("bdi", {}, pieces(answer[which], tag)))]);
  return el("div", { class: "sides", "data-talk": "" },
    el("dl", { class: "turns" }, side(0, "del")), el("dl", { class: "turns" }, side(1, "ins")));
}

function round(value) {
  return value === null ? "–" : String(Math.round(value * 100) / 100);
}

function picture(address, name, label) {
  if (!address) return el("span", { class: "shot nameless", role: "img", "aria-label": label }, el("bdi", {}, name));
  return el("img", { class: "shot", src: address, alt: label, width: 224, height: 224 });
}

function pairs({ candidates, before, after }) {
  const one = (candidate, reply, which) => {
    const share = reply && candidate.own >= 0 && reply.shares.length ? reply.shares[candidate.own] : null;
    const names = ["pair"];
    if (candidate.target) names.push("target");
    if (reply && candidate.own >= 0 && reply.choice === candidate.own) names.push("chosen");
    if (which && candidate.changed) names.push("changed-picture");
    if (!candidate.pictures) names.push("text");
    const said = [candidate.name, candidate.target ? "the answer" : "", names.includes("chosen") ? "chosen" : ""];
    return el("div", { class: names.join(" ") },
      candidate.pictures ? picture(candidate.pictures[which], candidate.sources[which], said.filter(Boolean).join(", ")) : null,
      el("div", {},
        candidate.text ? el("bdi", {}, candidate.text[which]) : null,
        share === null ? null : el("span", { class: which ? "blue" : "" }, ` ${share.toFixed(3)}`),
        el("span", { class: "marks" },
          candidate.target ? el("span", { class: "mark answer" }, "answer") : null,
          names.includes("chosen") ? el("span", { class: "mark chosen" }, "chosen") : null)));
  };
  return el("ol", { class: "pairs" }, candidates.map((c) => el("li", {}, one(c, before, 0), one(c, after, 1))));
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [320, 170, 34, 22];

/** Both rank curves. */
function chart({ before, after }) {
  const rounds = Math.max(before.curve.length, after.curve.length) - 1;
  const x = (i) => LEFT + (i / Math.max(rounds, 1)) * (WIDTH - LEFT - 8);
  const y = (v) => 8 + (1 - v / 100) * (HEIGHT - BOTTOM - 8);
  const label = `percentile rank by round, original ${before.curve.map(round).join(", ")}; edited ${after.curve.map(round).join(", ")}`;
  const drawn = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  const text = (words, attributes) => {
    const made = shape("text", attributes);
    made.textContent = words;
    return made;
  };
  for (const tick of [0, 50, 100]) {
    drawn.append(shape("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: y(tick), y2: y(tick) }),
      text(tick, { class: "tick end", x: LEFT - 5, y: y(tick) + 4 }));
  }
  for (let i = 0; i <= rounds; i++) drawn.append(text(i, { class: "tick", x: x(i), y: HEIGHT - 6 }));
  for (const [side, name] of [[before, "before-line"], [after, "after-line"]]) {
    const points = side.curve.map((v, i) => (v === null ? null : `${x(i).toFixed(1)},${y(v).toFixed(1)}`));
    drawn.append(shape("polyline", { class: name, points: points.filter(Boolean).join(" ") }));
  }
  return el("div", { class: "chart small", "data-curves": "" }, drawn,
    el("p", { class: "legend" }, "percentile rank by round: original solid, ", el("span", { class: "blue" }, "edited dashed")));
}

/** The best of the pool on both sides, after a round that can be chosen. */
function tops({ before, after }) {
  const last = before.tops.length - 1;
  const chosen = Math.min(Number(sides.dataset.round ?? last), last);
  const grid = el("div", { class: "sides" });
  const fill = (round) => {
    sides.dataset.round = round;
    grid.replaceChildren(...[["Original", before], ["Edited", after]].map(([name, side]) =>
      el("div", {}, el("h3", { class: name === "Edited" ? "blue" : "" }, `${name}: rank ${Math.round(side.ranks[round] * 10) / 10}`),
        el("div", { class: "tops" }, side.tops[round].map((one, i) =>
          el("figure", { class: one.target ? "target" : "" },
            picture(one.address, one.name, `number ${i + 1}${one.target ? ", the answer" : ""}`),
            el("figcaption", {}, `${i + 1}${one.target ? " answer" : ""}`)))))));
  };
  const slider = el("input", { type: "range", min: 0, max: last, value: chosen, "aria-label": "round",
    oninput: (event) => { fill(Number(event.target.value)); shown.textContent = event.target.value; } });
  const shown = el("output", {}, String(chosen));
  fill(chosen);
  return [el("h3", {}, "The best of the pool"), el("label", {}, "after round ", slider, " ", shown), grid];
}

function paint(piece) {
  const brush = document.querySelector("[name=brush]:checked");
  const slot = piece.closest(".slot");
  const held = slot.querySelector("[data-value]");
  const parts = JSON.parse(held.dataset.value);
  parts[Number(piece.dataset.piece) - 1] = Number(brush.value);
  held.dataset.value = JSON.stringify(parts);
  piece.setAttribute("fill", brush.dataset.color);
  later(0);
}

/** Pieces begin in the colors of the edits, which need not be those of the original. */
for (const slot of slots.filter((one) => one.dataset.kind === "paint")) {
  const parts = JSON.parse(slot.querySelector("[data-value]").dataset.value);
  for (const piece of slot.querySelectorAll("[data-piece]")) {
    const brush = document.querySelector(`[name=brush][value="${parts[Number(piece.dataset.piece) - 1]}"]`);
    if (brush) piece.setAttribute("fill", brush.dataset.color);
  }
}

root.addEventListener("click", (event) => {
  const piece = event.target.closest(".painting [data-piece]");
  if (piece) paint(piece);
  const add = event.target.closest("[data-add]");
  if (add) {
    const names = add.parentElement.querySelector(".names");
    if (names.children.length >= 7) return;
    names.append(el("input", { "aria-label": `${add.dataset.add} ${names.children.length + 1}`, dir: "auto", maxlength: 200 }));
    names.lastElementChild.focus();
  }
});
root.addEventListener("keydown", (event) => {
  const piece = event.target.closest(".painting [data-piece]");
  if (piece && ["Enter", " "].includes(event.key)) {
    event.preventDefault();
    paint(piece);
  }
});
root.addEventListener("input", (event) => {
  if (event.target.matches("[name=brush], [type=range]")) return;
  if (event.target.matches("select")) {
    const field = event.target.closest(".edited").querySelector("input");
    field.hidden = event.target.value !== "picture:";
    if (!field.hidden) field.focus();
  }
  later(250);
});
root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());

document.querySelector("[data-load]").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  let answer;
  try {
    const response = await fetch("/api/edits", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-deixis": "1" },
      body: JSON.stringify({ name: file.name, text: await file.text() }),
    });
    answer = await response.json();
  } catch {
    answer = { error: `${file.name}: the server cannot be reached` };
  }
  event.target.value = "";
  if (answer.link) location.assign(answer.link);
  else say(fileNote, `${answer.error}. Your edits stay here.`);
});

replay();
