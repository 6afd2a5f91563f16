// Small helpers for pages: elements are made from text, never from markup.

/** An element with attributes and children; text children are text. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

/** Paragraphs and lists of a plain text: blank lines part paragraphs, "- " begins an entry. */
export function prose(text) {
  return text.trim().split(/\n\s*\n/).map((block) => {
    const lines = block.split("\n").map((line) => line.trim());
    if (lines.every((line) => line.startsWith("- "))) {
      return el("ul", { dir: "auto" }, lines.map((line) => el("li", {}, line.slice(2))));
    }
    return el("p", { dir: "auto" }, lines.join(" "));
  });
}

/** Arrow keys move the focus to the nearest of some elements in that direction. */
export function arrows(container, selector) {
  container.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const here = event.target.closest(selector);
    if (!step || !here || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nearest(here, [...container.querySelectorAll(selector)], step);
    event.preventDefault();
    if (next) next.focus();
  });
}

function nearest(here, others, [dx, dy]) {
  const [x, y] = centre(here);
  let best = null;
  let least = Infinity;
  for (const other of others) {
    const [ox, oy] = centre(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (other !== here && along > 1 && along + 2 * aside < least) {
      least = along + 2 * aside;
      best = other;
    }
  }
  return best;
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
