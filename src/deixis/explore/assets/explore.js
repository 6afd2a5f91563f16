// Every page: keys, parts that light up their pieces, pictures that are missing.

import { el } from "/static/web/dom.js";

const follow = (selector) => {
  const link = document.querySelector(selector);
  if (link) link.click();
  return Boolean(link);
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea, select, [role=button], [role=region]")) return;
  const keys = {
    ArrowLeft: () => follow("a[rel=prev]"),
    ArrowRight: () => follow("a[rel=next]"),
    j: () => step(1),
    k: () => step(-1),
    u: () => follow("a[data-up]"),
    e: () => follow("a[data-edit]"),
    "/": () => focus("input[type=search]"),
  };
  if (keys[event.key] && keys[event.key]()) event.preventDefault();
});

function focus(selector) {
  const found = document.querySelector(selector);
  if (found) found.focus();
  return Boolean(found);
}

/** Move the focus to the next or the previous card. */
function step(by) {
  const cards = [...document.querySelectorAll(".trial-card .open")];
  if (!cards.length) return false;
  const at = cards.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : cards.length - 1) : at + by;
  const card = cards[Math.min(Math.max(next, 0), cards.length - 1)];
  card.focus();
  card.scrollIntoView({ block: "nearest" });
  return true;
}

for (const form of document.querySelectorAll("form.filters")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select")) form.requestSubmit();
  });
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

/** A part lights up its pieces, and a piece its part. */
for (const face of document.querySelectorAll("[data-described]")) {
  let held = "";
  const light = (part) => {
    face.classList.toggle("lighting", part !== "");
    for (const one of face.querySelectorAll("[data-part]")) {
      one.classList.toggle("lit", part !== "" && one.dataset.part === part);
    }
  };
  const partOf = (target) => {
    const one = target.closest && target.closest("[data-part]");
    return one && one.dataset.part !== "0" ? one.dataset.part : "";
  };
  face.addEventListener("pointerover", (event) => light(partOf(event.target) || held));
  face.addEventListener("pointerleave", () => light(held));
  face.addEventListener("focusin", (event) => light(partOf(event.target) || held));
  face.addEventListener("focusout", () => light(held));
  face.addEventListener("click", (event) => {
    const part = partOf(event.target);
    if (!part) return;
    held = held === part ? "" : part;
    for (const chip of face.querySelectorAll("button.chip")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.part === held));
    }
    light(held);
  });
}

/** Where a picture is missing, the page says why. */
export async function tell(image) {
  image.dataset.told = "";
  let said = "This picture is missing.";
  try {
    const answer = await fetch(image.src, { headers: { accept: "application/json" } });
    if (!answer.ok) said = (await answer.json()).error;
  } catch { /* the server is gone, and the page stays as it was */ }
  image.replaceWith(el("span", { class: "shot nameless missing", role: "img", "aria-label": said }, said));
}

document.addEventListener("error", (event) => {
  if (event.target.matches && event.target.matches("img.shot:not([data-told])")) tell(event.target);
}, true);
for (const image of document.querySelectorAll("img.shot")) {
  if (image.complete && image.naturalWidth === 0 && image.loading !== "lazy") tell(image);
}
