import { el } from "/static/web/dom.js";
import { draw, fitted } from "/static/web/tangram.js";

/** One shape in gray, one line of text; Enter sends it. */
export function mount(root, stimulus, host) {
  const field = el("input", {
    "data-whole": "",
    dir: "auto",
    autocomplete: "off",
    autocapitalize: "off",
    maxlength: 400,
    value: host.draft?.text ?? "",
  });
  const button = el("button", { class: "first", "data-continue": "" }, "Continue");
  const check = () => {
    button.disabled = !field.value.trim();
  };
  field.addEventListener("input", () => {
    check();
    host.save({ text: field.value });
  });
  const form = el(
    "form",
    {},
    el("div", { class: "field" }, el("label", {}, "This shape, as a whole, looks like", field)),
    button,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) host.submit({ text: field.value });
  });
  check();
  const picture = draw(stimulus.drawing, "A shape made of seven pieces");
  picture.setAttribute("viewBox", fitted(stimulus.drawing));
  root.append(
    el(
      "div",
      { class: "describe" },
      el("div", { class: "paper fitted" }, picture),
      form,
    ),
  );
}
