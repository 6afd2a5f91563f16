import { el } from "/static/web/dom.js";
import { draw } from "/static/web/tangram.js";

/** Four pairs to choose two of, and one sentence with hints while it is typed. */
export function mount(root, stimulus, host) {
  const { drawings, rules, few } = stimulus;
  const chosen = new Set(host.draft?.chosen ?? []);
  const hints = el("ul", { class: "hints", role: "status" });
  const text = el("textarea", { rows: "3", dir: "auto", maxlength: "2000", "data-sentence": "", "aria-label": "Your sentence" });
  text.value = host.draft?.sentence ?? "";
  const keep = () => host.save({ chosen: [...chosen], sentence: text.value });
  const pairs = [0, 1, 2, 3].map((pair) => {
    const button = el(
      "button",
      {
        type: "button",
        class: "pair",
        "data-pair": String(pair),
        "aria-pressed": String(chosen.has(pair)),
        "aria-label": `Pair ${pair + 1} of 4`,
        onclick: () => {
          if (!chosen.delete(pair)) {
            if (chosen.size === 2) return hints.replaceChildren(hint("Two pairs are chosen: take one of them back first."));
            chosen.add(pair);
          }
          button.setAttribute("aria-pressed", String(chosen.has(pair)));
          keep();
        },
      },
      draw(drawings[2 * pair]),
      draw(drawings[2 * pair + 1]),
    );
    return el("li", {}, button);
  });
  text.addEventListener("input", () => {
    hints.replaceChildren(...advice(text.value, rules, few).map(hint));
    keep();
  });
  root.append(
    el("p", { class: "lead" }, "Choose two pairs. Write one sentence that is true of both of them, and false of the other two."),
    el("ul", { class: "grid pairs" }, pairs),
    text,
    hints,
    el(
      "button",
      { type: "button", class: "first", "data-submit": "", onclick: () => host.submit({ chosen: [...chosen].sort(), sentence: text.value, ms: host.elapsed() }) },
      "Send",
    ),
  );
  return {};
}

const hint = (why) => el("li", { class: "note warn" }, why);

/** What the guidelines say to a sentence, by its words. */
function advice(sentence, rules, few) {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}_'-]+/gu) ?? [];
  const found = rules.filter((rule) => rule.words.some((word) => words.includes(word))).map((rule) => rule.why);
  if (words.length > 0 && words.length < few) found.push("Say something of the things, rather than name them.");
  return found;
}
