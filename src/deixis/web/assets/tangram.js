// Pictures from their drawings: polygons of tangrams, or pixels.

const SVG = "http://www.w3.org/2000/svg";
export const SIDE = 100;

/** An SVG element with attributes. */
export function shape(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A picture; with a label it is an image to screen readers, without one it is decoration. */
export function draw(drawing, label = "") {
  if (drawing.pixels) {
    const image = document.createElement("img");
    image.src = drawing.pixels;
    image.alt = label;
    image.className = "pixels";
    return image;
  }
  const picture = shape("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "tangram" });
  if (label) {
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", label);
  } else {
    picture.setAttribute("aria-hidden", "true");
  }
  for (const piece of drawing.pieces) picture.append(polygon(piece, drawing.line));
  return picture;
}

/** One piece of a drawing. */
export function polygon(piece, line) {
  return shape("polygon", {
    points: piece.points,
    fill: piece.fill,
    stroke: "#fff",
    "stroke-width": line,
  });
}

/** A viewBox that holds the pieces and a margin, so that they are as large as can be. */
export function fitted(drawing, margin = 3) {
  const all = drawing.pieces.flatMap(corners);
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const [width, height] = [Math.max(...xs) + margin - left, Math.max(...ys) + margin - top];
  return [left, top, width, height].map((value) => value.toFixed(2)).join(" ");
}

function corners(piece) {
  return piece.points.split(" ").map((point) => point.split(",").map(Number));
}

/** The middle of a piece: of its corners. */
export function middle(piece) {
  const points = corners(piece);
  const sum = points.reduce(([x, y], [a, b]) => [x + a, y + b], [0, 0]);
  return sum.map((value) => value / points.length);
}
