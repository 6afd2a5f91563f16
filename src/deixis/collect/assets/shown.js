import { el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

/** Pictures with captions beside a text; nothing where there are none. */
export function shown(pictures) {
  if (!pictures.length) return null;
  const figures = pictures.map(({ drawing, caption }) =>
    el(
      "figure",
      {},
      el("div", { class: "paper" }, draw(drawing, caption || "a shape")),
      caption ? el("figcaption", { dir: "auto" }, caption) : null,
    ),
  );
  return el("div", { class: "shown" }, figures);
}
