// Runs a visit: the server says which trial comes, its module draws it, the outbox sends answers.

import { el, prose } from "/static/web/dom.js";
import { Outbox } from "./outbox.js";
import { Server, newToken } from "./server.js";

const BEAT = 60_000;
const DRAFT_AFTER = 600;

const stage = document.getElementById("stage");
const study = stage.dataset.study;
const place = document.getElementById("place");
const bar = document.getElementById("progress");
const saved = document.getElementById("saved");
const actions = document.getElementById("actions");
const SHELF = `deixis:${study}`;

let server = null;
let outbox = null;
let shown = null;

// ---- who is here -------------------------------------------------------------------------------

function parameters() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** The token of a visit that is under way in this tab, or on the way from another device. */
function known() {
  const fragment = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(fragment)) return fragment;
  return sessionStorage.getItem(SHELF);
}

function adopt(token) {
  server = new Server(token);
  outbox = new Outbox(server, tellSaved);
  sessionStorage.setItem(SHELF, token);
  if (!Object.keys(parameters()).length) localStorage.setItem(SHELF, token);
  history.replaceState(null, "", `${location.pathname}#${token}`);
}

function forget() {
  sessionStorage.removeItem(SHELF);
  localStorage.removeItem(SHELF);
}

async function begin() {
  const token = known();
  if (token) {
    adopt(token);
    return resume();
  }
  const before = Object.keys(parameters()).length ? null : localStorage.getItem(SHELF);
  const buttons = [el("button", { class: "first", "data-start": "", onclick: start }, "Start")];
  if (before) {
    const again = () => {
      adopt(before);
      resume();
    };
    buttons[0].textContent = "Start anew";
    buttons[0].className = "";
    buttons.unshift(
      el("button", { class: "first", "data-resume": "", onclick: again }, "Continue where I stopped"),
    );
  }
  document.getElementById("begin").replaceChildren(el("span", { class: "bar" }, buttons));
}

async function start() {
  const { preview = "", ...given } = parameters();
  const token = newToken();
  const visitor = new Server(token);
  busy(true);
  let reply = await visitor.arrive(study, given, preview);
  while (reply.status === 0 || reply.status >= 500) {
    tell("Waiting for the connection …", "warn");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    reply = await visitor.arrive(study, given, preview);
  }
  busy(false);
  if (reply.status !== 200) return refuse(reply.body.error);
  adopt(token);
  show(reply.body);
}

/** After a refresh, on another device, a day later: first send what is left, then ask. */
async function resume() {
  if ((await outbox.mine()).length) wait();
  await outbox.flush();
  let reply = await server.now();
  while (reply.status === 0 || reply.status >= 500) {
    tell("Waiting for the connection …", "warn");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    reply = await server.now();
  }
  if (reply.status === 401) {
    forget();
    history.replaceState(null, "", location.pathname + location.search);
    // Somebody who was erased may begin anew; whoever was in the middle is told what happened.
    return document.getElementById("begin") ? begin() : refuse(reply.body.error);
  }
  if (reply.status !== 200) return refuse(reply.body.error);
  show(reply.body);
}

function busy(on) {
  for (const button of stage.querySelectorAll("button")) button.disabled = on;
}

function refuse(sentence) {
  stage.replaceChildren(el("section", { class: "card" }, heading("Sorry"), el("p", {}, sentence)));
  place.textContent = "";
  bar.hidden = true;
  actions.hidden = true;
  focusHeading();
}

// ---- what is shown -----------------------------------------------------------------------------

function heading(text) {
  return el("h1", { tabindex: "-1", dir: "auto" }, text);
}

function focusHeading() {
  stage.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function wait() {
  stage.replaceChildren(
    el(
      "section",
      { class: "card" },
      heading("One moment"),
      el("p", {}, "Your answers are kept in this browser and are being sent. You can leave the page open, or come back to it later."),
    ),
  );
}

async function show(state) {
  tell("");
  if (state.finish) return end(state.finish);
  const { step, progress } = state;
  const module = await import(`/static/types/${step.type}.js`);
  const started = performance.now();
  const card = el("section", { class: "card trial", "data-type": step.type, "data-step": step.id });
  const alert = el("p", { class: "note bad", role: "alert", hidden: true });
  const body = el("div", { class: "body" });
  const drafts = new Drafts(step, started);
  shown = { step, drafts };
  const host = {
    draft: step.draft,
    practice: step.practice,
    study,
    token: server.token,
    elapsed: () => Math.round((performance.now() - started) * 10) / 10,
    save: (draft) => drafts.later(draft),
    submit: (response) => submit(step, response, host, alert, card),
  };
  const drawn = module.mount(body, step.stimulus, host) ?? {};
  shown.drawn = drawn;
  const title = drawn.title ?? step.title;
  card.append(...(title ? [heading(title)] : []), alert, body);
  if (state.may_stop) {
    body.append(
      el("p", { class: "stop" }, el("button", { class: "plain", "data-stop": "", onclick: stop }, "That is enough for now: finish here")),
    );
  }
  stage.replaceChildren(card);
  document.title = title || document.title;
  place.textContent = where(progress, step);
  bar.hidden = false;
  bar.max = progress.phases;
  bar.value = progress.phase - 1 + (progress.number - 1) / Math.max(progress.of, 1);
  actions.hidden = false;
  focusHeading();
}

function where(progress, step) {
  const count = progress.of > 1 ? `${progress.number} of ${progress.of}` : "";
  return [step.practice ? "Practice" : "", count].filter(Boolean).join(" · ");
}

/** Drafts of one trial, sent when the hands rest. */
class Drafts {
  constructor(step, started) {
    this.step = step;
    this.version = step.version;
    this.started = started;
  }

  later(draft) {
    this.latest = draft;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), DRAFT_AFTER);
  }

  send() {
    clearTimeout(this.timer);
    if (this.latest === undefined || this.done) return;
    this.version += 1;
    outbox.put(write(this.step, "draft", this.latest, this.version, performance.now() - this.started));
    this.latest = undefined;
  }

  stop() {
    this.done = true;
    clearTimeout(this.timer);
  }
}

function write(step, kind, response, version, ms) {
  const key = crypto.randomUUID ? crypto.randomUUID() : newToken();
  return { key, step: step.id, kind, version, response, ms: Math.round(ms * 10) / 10 };
}

/** Sends the final answer and goes on with what the server says; resolves when it is settled. */
async function submit(step, response, host, alert, card) {
  if (card.dataset.sent) return undefined;
  card.dataset.sent = "1";
  card.setAttribute("aria-busy", "true");
  alert.hidden = true;
  shown.drafts.stop();
  const slow = setTimeout(() => tellWaiting(), 1500);
  const reply = await outbox.put(
    write(step, "final", response, shown.drafts.version + 1, host.elapsed()),
  );
  clearTimeout(slow);
  card.removeAttribute("aria-busy");
  if (reply.status === 422) {
    delete card.dataset.sent;
    shown.drafts.done = false;
    alert.textContent = reply.body.error;
    alert.hidden = false;
    alert.scrollIntoView({ block: "nearest" });
    return undefined;
  }
  if (reply.status !== 200) return resume();
  const next = () => show(reply.body.now);
  const told = reply.body.feedback ?? {};
  const waits = shown.drawn.feedback && Object.keys(told).length;
  if (!waits) return next();
  card.dataset.told = "";
  return shown.drawn.feedback(told, next);
}

function end(finish) {
  forget();
  outbox.flush();
  const parts = [heading(finish.outcome === "completed" ? "Thank you!" : "The end"), ...prose(finish.text)];
  if (finish.code) {
    const code = el("code", { class: "code", "data-code": "" }, finish.code);
    const copy = el("button", { onclick: () => navigator.clipboard?.writeText(finish.code) }, "Copy");
    parts.push(el("p", {}, "Your completion code:"), el("p", { class: "bar" }, code, copy));
  }
  if (finish.url) {
    parts.push(el("p", {}, el("a", { class: "button first", href: finish.url, rel: "noreferrer", "data-return": "" }, finish.label)));
  }
  stage.replaceChildren(el("section", { class: "card", "data-outcome": finish.outcome }, parts));
  place.textContent = "";
  bar.max = 1;
  bar.value = 1;
  actions.hidden = true;
  focusHeading();
}

// ---- what stands below -------------------------------------------------------------------------

function tell(sentence, kind = "") {
  saved.textContent = sentence;
  saved.className = kind ? `note ${kind}` : "";
}

function tellSaved(pending) {
  if (pending === 0) tell(outbox?.stuck ? saved.textContent : "Everything is saved.");
  else if (pending > 0 && !navigator.onLine) tell(notYet(pending), "warn");
  document.documentElement.dataset.pending = pending;
}

function notYet(pending) {
  return `${pending} not yet saved: waiting for the connection. Nothing is lost; it is kept in this browser.`;
}

function tellWaiting() {
  if (outbox.pending) tell(notYet(outbox.pending), "warn");
}

async function stop() {
  shown.drafts.stop();
  await outbox.flush();
  const reply = await server.stop();
  if (reply.status === 200) show(reply.body);
  else resume();
}

document.getElementById("leave").addEventListener("click", () => {
  document.getElementById("leaving").showModal();
});

document.getElementById("leaving").addEventListener("close", async (event) => {
  if (event.target.returnValue !== "leave") return;
  const reply = await server.leave(document.getElementById("erase").checked);
  if (reply.status === 200) show(reply.body);
  else resume();
});

document.getElementById("elsewhere").addEventListener("click", () => {
  shown?.drafts.send();
  document.getElementById("address").textContent = location.href;
  document.getElementById("moving").showModal();
});

setInterval(() => {
  if (server && !document.hidden && !actions.hidden) server.beat();
}, BEAT);

document.addEventListener("visibilitychange", () => {
  if (document.hidden) shown?.drafts.send();
});

begin();
