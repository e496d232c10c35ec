/* ---- curves ---- */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#7f7f7f"];
/* What tells systems apart once the colours repeat: dashes of the lines, shapes of the dots. */
const DASHES = ["none", "5 3", "1.5 2.5", "7 2 1.5 2"];
const SHAPES = ["m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z", "m-3.3 -3.3h6.6v6.6h-6.6z", "m0 -4.4l4.2 7.4h-8.4z", "m0 -4.8l4.8 4.8l-4.8 4.8l-4.8 -4.8z"];
const MEASURES = { threshold: "threshold", f1: "F1", precision: "precision", recall: "recall" };

function mark(i, d, x, y) {
  const cycle = Math.floor(i / COLOURS.length) % SHAPES.length, colour = COLOURS[i % COLOURS.length];
  return svg("g", { stroke: colour, fill: "none" }, svg("path", { "stroke-dasharray": DASHES[cycle], d }),
    svg("path", { class: "dot", stroke: "none", fill: colour, d: `M${x} ${y}${SHAPES[cycle]}` }));
}
function chart(id, xKey, yKey, names, contours) {
  const [w, h, left, low] = [420, 320, 46, 42];
  const values = (key) => names.flatMap((n) => DATA.curves[n][key]);
  const floor = (key) => Math.max(0, Math.min(0.8, Math.floor(Math.min(...values(key)) * 10 - 0.3) / 10));
  const [x0, y0] = [floor(xKey), floor(yKey)];
  const X = (x) => left + (x - x0) / (1 - x0) * (w - left - 12), Y = (y) => h - low - (y - y0) / (1 - y0) * (h - low - 10);
  const picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": `${MEASURES[yKey]} against ${MEASURES[xKey]}` });
  const ticks = (from) => { const step = from < 0.5 ? 0.2 : 0.1, all = []; for (let t = 1; t >= from - 0.001; t -= step) all.push(t); return all; };
  for (const t of ticks(x0)) picture.append(svg("text", { x: X(t), y: h - low + 16, "text-anchor": "middle" }, t.toFixed(1)));
  for (const t of ticks(y0)) picture.append(svg("path", { class: "grid", d: `M${X(x0)} ${Y(t)}H${X(1)}` }),
    svg("text", { x: left - 7, y: Y(t) + 4, "text-anchor": "end" }, t.toFixed(1)));
  picture.append(svg("path", { class: "axis", d: `M${X(x0)} ${Y(1)}V${Y(y0)}H${X(1)}` }),
    svg("text", { x: X((1 + x0) / 2), y: h - 8, "text-anchor": "middle" }, MEASURES[xKey]),
    svg("text", { x: 13, y: Y((1 + y0) / 2), "text-anchor": "middle", transform: `rotate(-90 13 ${Y((1 + y0) / 2)})` }, MEASURES[yKey]));
  for (const f of contours ? [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] : []) {
    const points = [];
    let end = [];
    for (let r = f / 2 + 0.002; r <= 1; r += 0.004) {
      const p = f * r / (2 * r - f);
      if (p > 1 || p < y0 || r < x0) continue;
      end = [X(r), Y(p)].map((v) => v.toFixed(1));
      points.push(end.join(" "));
    }
    if (points.length < 2) continue;
    picture.append(svg("path", { class: "contour", d: "M" + points.join("L") }),
      svg("text", { class: "faint", x: Math.min(end[0], X(1)) - 3, y: end[1] - 4, "text-anchor": "end" }, "F " + f));
  }
  names.forEach((name, i) => {
    const { [xKey]: xs, [yKey]: ys, f1 } = DATA.curves[name], k = f1.indexOf(Math.max(...f1));
    const path = "M" + xs.map((x, n) => `${X(x).toFixed(1)} ${Y(ys[n]).toFixed(1)}`).join("L");
    const line = svg("g", { class: "line", "data-name": i }, mark(i, path, X(xs[k]), Y(ys[k])));
    line.addEventListener("pointerenter", () => highlight(i));
    line.addEventListener("pointerleave", () => highlight(null));
    picture.append(line);
  });
  $(id).replaceChildren(picture);
}
function highlight(chosen) {
  for (const node of document.querySelectorAll("[data-name]")) {
    node.classList.toggle("dim", chosen !== null && Number(node.dataset.name) !== chosen);
  }
}
if (DATA.curves && Object.keys(DATA.curves).length) {
  const best = (n) => Math.max(...DATA.curves[n].f1);
  const found = (n) => DATA.curves[n].f1.length > 0, all = Object.keys(DATA.curves);
  const names = all.filter(found).sort((a, b) => best(b) - best(a));
  chart("pr-chart", "recall", "precision", names, true);
  chart("threshold-chart", "threshold", "f1", names, false);
  $("legend").replaceChildren(...names.map((n, i) => {
    const curve = DATA.curves[n], at = curve.threshold[curve.f1.indexOf(best(n))];
    const sample = svg("svg", { viewBox: "0 0 30 10", "aria-hidden": "true" }, mark(i, curve.f1.length > 1 ? "M0 5H30" : "", 15, 5));
    const item = el("span", { "data-name": i }, sample, `${SHOWN.get(n)} `, el("small", {}, `F1 ${decimals(best(n))} at ${at.toFixed(2)}`));
    for (const [on, off] of [["pointerenter", "pointerleave"], ["focus", "blur"]]) {
      item.addEventListener(on, () => highlight(i));
      item.addEventListener(off, () => highlight(null));
    }
    return item;
  }), ...all.filter((n) => !found(n)).map((n) => el("span", {}, `${SHOWN.get(n)} `, el("small", {}, "no correspondence, no curve"))));
  oneStop($("legend"), [[...$("legend").querySelectorAll("[data-name]")]]);
}
