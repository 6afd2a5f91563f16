import { el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

const LABELS = { fine: "usable", absent: "not in it", uninteresting: "of no interest" };

/** A grid of pictures, each with three marks; all begin as usable. */
export function mount(root, stimulus, host) {
  const { synset, drawings } = stimulus;
  const marks = host.draft?.marks ?? drawings.map(() => "fine");
  const option = (number, mark) =>
    el(
      "label",
      { class: "choice", "data-mark": mark },
      el("input", {
        type: "radio",
        name: `picture-${number}`,
        checked: marks[number] === mark,
        onchange: () => {
          marks[number] = mark;
          host.save({ marks: [...marks] });
        },
      }),
      LABELS[mark],
    );
  const cards = drawings.map((drawing, number) =>
    el(
      "li",
      {},
      el(
        "fieldset",
        { "data-picture": String(number) },
        el("legend", {}, `Picture ${number + 1}`),
        el("div", { class: "paper" }, draw(drawing, `Picture ${number + 1}`)),
        Object.keys(LABELS).map((mark) => option(number, mark)),
      ),
    ),
  );
  root.append(
    el("p", { class: "lead" }, "Look for: ", el("strong", { dir: "auto" }, synset), ". Mark pictures without it, and pictures that show it alone."),
    el("ul", { class: "grid marks" }, cards),
    el("button", { type: "button", class: "first", "data-submit": "", onclick: () => host.submit({ marks, ms: host.elapsed() }) }, "Done"),
  );
  return {};
}
