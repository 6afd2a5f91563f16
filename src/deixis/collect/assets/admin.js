// Keeps the numbers of a study's page fresh; without it the page is complete, and still.

import { el } from "/static/web/dom.js";

const EVERY = 5000;
const box = document.querySelector("[data-live]");

async function refresh() {
  if (document.hidden) return;
  const reply = await fetch(box.dataset.live, { headers: { Accept: "application/json" } });
  if (!reply.ok) return;
  const now = await reply.json();
  for (const [place, bar] of now.bars.entries()) {
    const row = box.querySelectorAll(".arm")[place];
    if (!row) continue;
    const share = (n) => (100 * n) / bar.all;
    row.querySelector(".done").setAttribute("width", share(bar.done));
    row.querySelector(".leased").setAttribute("x", share(bar.done));
    row.querySelector(".leased").setAttribute("width", share(bar.leased));
    row.querySelector(".track").setAttribute("aria-label", `${bar.done} of ${bar.all} done, ${bar.leased} under way`);
    row.querySelector(".count").replaceChildren(
      `${bar.done} of ${bar.all}`,
      ...(bar.leased ? [" ", el("span", { class: "soft" }, `+ ${bar.leased} under way`)] : []),
    );
  }
  const outcomes = Object.entries(now.outcomes).map(([name, n]) => `${n} ${name.replaceAll("_", " ")}`);
  box.querySelector("[data-outcomes]").textContent = outcomes.join(", ") || "Nobody has come yet.";
  box.querySelector("[data-here]").replaceChildren(...(now.here.length ? now.here.map(person) : [nobody()]));
}

function person(row) {
  return el(
    "tr",
    {},
    el(
      "td",
      {},
      el("a", { href: `/admin/visits/${row.id}` }, row.worker.slice(0, 8)),
      row.mode === "test" ? [" ", el("span", { class: "tag" }, "test")] : null,
    ),
    el("td", {}, row.arm),
    el("td", {}, row.phase),
    el("td", { class: "number" }, `${row.done}`),
    el("td", {}, `${duration(row.seen)} ago`),
  );
}

function nobody() {
  return el("tr", {}, el("td", { colspan: "5", class: "soft" }, "Nobody is here just now."));
}

function duration(seconds) {
  for (const [size, unit] of [[86400, "d"], [3600, "h"], [60, "min"]]) {
    if (seconds >= size) return `${Math.round(seconds / size)} ${unit}`;
  }
  return `${Math.round(Math.max(seconds, 0))} s`;
}

if (box) setInterval(() => refresh().catch(() => undefined), EVERY);
