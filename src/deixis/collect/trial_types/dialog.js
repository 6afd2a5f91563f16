import { ENDS, Line, Table } from "/static/live/table.js";
import { el } from "/static/web/dom.js";

/** A live dialog within a study; whoever leaves the study leaves the dialog. */
export function mount(root, stimulus, host) {
  const room = el("div", { class: "room" });
  const saved = document.getElementById("saved");
  if (stimulus.altered) {
    root.append(el("p", { class: "note" }, "Messages may look different to your partner than you wrote them. You will be told about it in the end."));
  }
  root.append(room);
  const ended = (page) => [
    el("div", { "data-over": page.over }, [
      el("p", {}, ENDS[page.over] ?? page.over),
      page.debriefing ? el("p", { class: "note" }, page.debriefing) : null,
      el("button", { type: "button", class: "first", "data-go-on": "", onclick: () => host.submit({ ms: host.elapsed() }) }, "Continue"),
    ]),
  ];
  let table = null;
  const line = new Line(host.study, host.token, {
    show: (page, error) => table.show(page, error),
    tell: (sentence) => {
      saved.textContent = sentence;
    },
  });
  table = new Table(room, line, ended);
  const gone = new MutationObserver(() => {
    if (root.isConnected) return;
    if (!line.over) line.say("end", {});
    line.stop();
    gone.disconnect();
  });
  gone.observe(document.getElementById("stage"), { childList: true });
  return {};
}
