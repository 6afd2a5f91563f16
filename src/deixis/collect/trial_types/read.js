import { el, prose } from "/static/web/dom.js";
import { shown } from "/static/collect/shown.js";

/** Something to read, and a button. */
export function mount(root, stimulus, host) {
  root.append(
    ...prose(stimulus.text),
    ...[shown(stimulus.pictures)].filter(Boolean),
    el("button", { class: "first", "data-continue": "", onclick: () => host.submit({}) }, stimulus.button),
  );
}
