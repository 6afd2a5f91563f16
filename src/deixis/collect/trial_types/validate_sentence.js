import { el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

const VERDICTS = { true: "True", false: "False", nonsense: "It makes no sense" };

/** A sentence above two pictures; one click is the answer. */
export function mount(root, stimulus, host) {
  const { sentence, drawings } = stimulus;
  const buttons = Object.entries(VERDICTS).map(([verdict, label]) =>
    el("button", { type: "button", "data-verdict": verdict, onclick: () => choose(verdict) }, label),
  );
  function choose(verdict) {
    for (const button of buttons) button.disabled = true;
    host.submit({ verdict, ms: host.elapsed() });
  }
  const side = (drawing, name) =>
    el("figure", {}, el("div", { class: "paper" }, draw(drawing, `${name} picture`)), el("figcaption", {}, name));
  root.append(
    el("p", { class: "lead", dir: "auto" }, el("strong", {}, sentence)),
    el("div", { class: "claim" }, side(drawings[0], "Left"), side(drawings[1], "Right")),
    el("div", { class: "buttons" }, buttons),
  );
  return {
    feedback: ({ right, truth, why }, next) => {
      const said = right ? "That is right." : `That is not right: the answer is “${VERDICTS[truth]}”.`;
      const on = el("button", { type: "button", class: "first", "data-continue": "", onclick: next }, "Continue");
      root.append(el("p", { class: right ? "note good" : "note bad", role: "status" }, [said, why].filter(Boolean).join(" ")), on);
      on.focus();
    },
  };
}
