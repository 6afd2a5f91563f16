import { el, prose } from "/static/web/dom.js";

/** A form; answers are kept as drafts while they are given. */
export function mount(root, stimulus, host) {
  const given = { ...(host.draft?.answers ?? {}) };
  const keep = (id, value) => {
    if (value === null) delete given[id];
    else given[id] = value;
    host.save({ answers: { ...given } });
  };
  const form = el("form", { novalidate: true });
  if (stimulus.intro) form.append(...prose(stimulus.intro));
  for (const question of stimulus.questions) form.append(FIELDS[question.kind](question, given, keep));
  form.append(el("button", { class: "first", "data-continue": "" }, stimulus.button));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    host.submit({ answers: given });
  });
  root.append(form);
}

function framed(question, ...inside) {
  const mark = question.optional ? el("small", {}, " (if you like)") : null;
  return el(
    "fieldset",
    { "data-question": question.id },
    el("legend", { dir: "auto" }, question.text, mark),
    inside,
  );
}

function choice(question, given, keep) {
  const several = question.kind === "several";
  const chosen = new Set([given[question.id] ?? []].flat());
  const tell = () => keep(question.id, several ? [...chosen] : ([...chosen][0] ?? null));
  const pick = (value, on) => {
    if (!several) chosen.clear();
    if (on) chosen.add(value);
    else chosen.delete(value);
    tell();
  };
  const option = (value) =>
    el(
      "label",
      { class: "choice", dir: "auto" },
      el("input", {
        type: several ? "checkbox" : "radio",
        name: question.id,
        checked: chosen.has(value),
        onchange: (event) => pick(value, event.target.checked),
      }),
      value,
    );
  const labels = question.options.map(option);
  if (question.other) labels.push(other(question, chosen, pick, several));
  return framed(question, labels);
}

function other(question, chosen, pick, several) {
  let typed = [...chosen].find((value) => !question.options.includes(value)) ?? "";
  const text = el("input", { "aria-label": "Another answer", value: typed });
  const box = el("input", { type: several ? "checkbox" : "radio", name: question.id, checked: Boolean(typed) });
  const tell = () => {
    if (typed) pick(typed, false);
    typed = text.value.trim();
    if (box.checked && typed) pick(typed, true);
  };
  text.addEventListener("input", () => {
    box.checked = true;
    tell();
  });
  box.addEventListener("change", tell);
  return el("label", { class: "choice" }, box, "Other:", text);
}

function scale(question, given, keep) {
  const option = (value) =>
    el(
      "label",
      { class: "choice" },
      el("input", {
        type: "radio",
        name: question.id,
        checked: given[question.id] === value,
        onchange: () => keep(question.id, value),
      }),
      [`${value}`, value === 1 ? question.low : value === 5 ? question.high : ""].filter(Boolean).join(" – "),
    );
  return framed(question, [1, 2, 3, 4, 5].map(option));
}

function text(question, given, keep) {
  const field = el(
    "textarea",
    { "aria-label": question.text, dir: "auto", oninput: (event) => keep(question.id, event.target.value || null) },
    given[question.id] ?? "",
  );
  return framed(question, field);
}

function number(question, given, keep) {
  const field = el("input", {
    type: "number",
    step: "any",
    inputmode: "decimal",
    "aria-label": question.text,
    min: question.low || null,
    max: question.high || null,
    value: given[question.id] ?? null,
    oninput: (event) => keep(question.id, event.target.value === "" ? null : Number(event.target.value)),
  });
  return framed(question, field);
}

function languages(question, given, keep) {
  const rows = [];
  const list = el("datalist", { id: `${question.id}-known` }, question.options.map((name) => el("option", { value: name })));
  const box = el("div");
  const tell = () => {
    const named = rows.filter((row) => row.name.value.trim());
    keep(question.id, named.map((row) => ({ language: row.name.value, level: Number(row.level.value) || null })));
  };
  const add = (language = "", level = "") => {
    const name = el("input", { list: list.id, "aria-label": `Language ${rows.length + 1}`, value: language, dir: "auto", oninput: tell });
    const levels = ["1 – a few words", "2", "3", "4", "5 – like a native speaker"];
    const options = levels.map((label, i) => el("option", { value: i + 1, selected: level === i + 1 }, label));
    const choice = el("select", { "aria-label": `How well you speak language ${rows.length + 1}`, onchange: tell }, el("option", { value: "" }, "How well?"), options);
    rows.push({ name, level: choice });
    box.append(el("div", { class: "bar choice", "data-row": rows.length - 1 }, name, choice));
  };
  for (const one of given[question.id] ?? []) add(one.language, one.level);
  if (!rows.length) add();
  const more = el("button", { type: "button", "data-more": "", onclick: () => { add(); rows.at(-1).name.focus(); } }, "Add a language");
  return framed(question, list, box, more);
}

const FIELDS = { choice, several: choice, scale, text, number, languages };
