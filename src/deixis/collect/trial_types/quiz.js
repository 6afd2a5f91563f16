import { el, prose } from "/static/web/dom.js";
import { shown } from "/static/collect/shown.js";

/** Questions with options; what was wrong is explained before it goes on. */
export function mount(root, stimulus, host) {
  const answers = { ...(host.draft?.answers ?? {}) };
  const form = el("form", { novalidate: true });
  if (stimulus.intro) form.append(...prose(stimulus.intro));
  for (const question of stimulus.questions) {
    const option = (label, number) =>
      el(
        "label",
        { class: "choice", dir: "auto" },
        el("input", {
          type: "radio",
          name: question.id,
          checked: answers[question.id] === number,
          onchange: () => {
            answers[question.id] = number;
            host.save({ answers: { ...answers } });
          },
        }),
        label,
      );
    form.append(
      el(
        "fieldset",
        { "data-question": question.id },
        el("legend", { dir: "auto" }, question.text),
        shown(question.pictures),
        question.options.map(option),
      ),
    );
  }
  form.append(el("button", { class: "first", "data-continue": "" }, stimulus.button));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    host.submit({ answers });
  });
  root.append(form);
  return { feedback: (told, next) => explain(root, told, next) };
}

function explain(root, told, next) {
  const rows = told.wrong.map(({ text, why }) => el("li", { dir: "auto" }, el("strong", {}, text), " ", why));
  const button = el("button", { class: "first", "data-continue": "", onclick: next }, told.again ? "Try again" : "Continue");
  root.replaceChildren(
    el("p", { class: "note warn", role: "status" }, told.again ? "Not quite yet." : "That was not what we looked for."),
    el("ul", {}, rows),
    button,
  );
  button.focus();
}
