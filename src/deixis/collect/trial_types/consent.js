import { el, prose } from "/static/web/dom.js";

/** The text, and a yes and a no of the same size. */
export function mount(root, stimulus, host) {
  const answer = (agrees) => () => host.submit({ agrees });
  root.append(
    ...prose(stimulus.text),
    el(
      "div",
      { class: "bar" },
      el("button", { class: "first", "data-agrees": "true", onclick: answer(true) }, stimulus.agree),
      el("button", { "data-agrees": "false", onclick: answer(false) }, stimulus.decline),
    ),
  );
}
