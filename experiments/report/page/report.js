"use strict";
/* One page, no library, no network. All text enters the page as text, never as markup. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#7f7f7f"];

function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
function pvalue(p, log10) {
  if (p === null || p === undefined) return "–";
  if (p > 0 && p < 1e-4) return p.toExponential(1);
  if (p === 0) return log10 === undefined || log10 === null ? "< 1e-300" : "1e" + Math.round(log10);
  return p.toFixed(4);
}
const short = (text, most = 26) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

/* ---- the graph: arrows, layers, ranks ---- */
const state = { ...DATA.defaults };

function adjusted() {
  return DATA.views[state.view].adjusted[state.test][state.correction];
}
function arrows() {
  const view = DATA.views[state.view], counts = view.advantage || view.discordant, q = adjusted(), found = [];
  counts.forEach((row, i) => row.forEach((n, j) => {
    if (i !== j && n > counts[j][i] && q[i][j] !== null && q[i][j] <= state.alpha) found.push([i, j]);
  }));
  return found;
}
function layersOf(edges) {
  const n = DATA.systems.length, depth = new Array(n).fill(0);
  for (let round = 0; round < n; round++) {
    for (const [i, j] of edges) depth[j] = Math.max(depth[j], depth[i] + 1);
  }
  const layers = [];
  depth.forEach((d, i) => (layers[d] = layers[d] || []).push(i));
  return layers;
}
function ranks(edges) {
  const n = DATA.systems.length;
  return DATA.systems.map((_, s) => [
    1 + edges.filter(([, j]) => j === s).length, n - edges.filter(([i]) => i === s).length]);
}
function reduction(edges) {
  /* Leave out what follows from others, but only where the graph is transitive: else draw it whole. */
  const n = DATA.systems.length, has = new Set(edges.map(([i, j]) => i * n + j));
  for (const [i, j] of edges) for (const [k, l] of edges) {
    if (j === k && !has.has(i * n + l)) return edges;
  }
  return edges.filter(([i, j]) => !DATA.systems.some((_, k) => has.has(i * n + k) && has.has(k * n + j)));
}
function place(layers, shown, width) {
  const layerOf = {}, places = {}, lanes = new Map(shown.map((e) => [e, []]));
  layers.forEach((layer, k) => layer.forEach((s) => (layerOf[s] = k)));
  const last = (e) => (lanes.get(e).length ? lanes.get(e).at(-1) : places[e[0]]).x;
  layers.forEach((layer, k) => {
    const passing = shown.filter((e) => layerOf[e[0]] < k && k < layerOf[e[1]]);
    const pull = (item) => {
      if (Array.isArray(item)) return last(item);
      const above = shown.filter((e) => e[1] === item).map(last);
      return above.length ? above.reduce((a, b) => a + b) / above.length : 0;
    };
    const items = [...layer, ...passing].map((item) => [pull(item), item]);
    items.sort((a, b) => a[0] - b[0]);
    const size = (item) => (Array.isArray(item) ? 26 : width);
    let x = -items.reduce((sum, [, item]) => sum + size(item) + 26, -26) / 2;
    for (const [, item] of items) {
      const point = { x: x + size(item) / 2, y: k * 78 };
      if (Array.isArray(item)) lanes.get(item).push(point); else places[item] = point;
      x += size(item) + 26;
    }
  });
  return { places, lanes };
}
function describe(i, j) {
  const view = DATA.views[state.view], [a, b] = [DATA.systems[i], DATA.systems[j]];
  const log = (view.log10_p || {})[state.test];
  const unit = view.unit || "that only NAME has right";
  return `${a} against ${b}: ${view.discordant[i][j]} ${unit.replace("NAME", a)}, ` +
    `${view.discordant[j][i]} ${unit.replace("NAME", b)}; p = ${pvalue(view.p[state.test][i][j], log && log[i][j])}, ` +
    `adjusted p = ${pvalue(adjusted()[i][j])} (${state.test}, ${state.correction}).`;
}
function drawGraph() {
  const edges = arrows(), shown = reduction(edges), layers = layersOf(edges);
  const width = Math.min(210, 30 + 7.4 * Math.max(...DATA.systems.map((s) => short(s).length), 6));
  const { places, lanes } = place(layers, shown, width);
  const xs = Object.values(places).concat(...lanes.values()).map((p) => p.x);
  const left = Math.min(...xs) - width / 2 - 40, wide = Math.max(...xs) + width / 2 + 20 - left;
  const view = { x: left, y: -32, w: wide, h: layers.length * 78 - 8 };
  const picture = svg("svg", { role: "group", "aria-label": "Outperforms graph" });
  const frame = () => picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  picture.append(svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 10 10", refX: 9, refY: 5,
    markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L10 5L0 10z" }))));
  for (const edge of shown) {
    const [i, j] = edge, points = [{ x: places[i].x, y: places[i].y + 22 }];
    for (const p of lanes.get(edge)) points.push({ x: p.x, y: p.y - 20 }, { x: p.x, y: p.y + 20 });
    points.push({ x: places[j].x, y: places[j].y - 23 });
    let d = `M${points[0].x} ${points[0].y}`;
    for (let k = 1; k < points.length; k++) {
      const [a, b] = [points[k - 1], points[k]], half = (a.y + b.y) / 2;
      d += points.length === 2 || a.x === b.x ? `L${b.x} ${b.y}` : `C${a.x} ${half} ${b.x} ${half} ${b.x} ${b.y}`;
    }
    const group = svg("g", { class: "edge", tabindex: 0, role: "img", "aria-label": describe(i, j) },
      svg("path", { class: "arrow", d, "marker-end": "url(#tip)" }), svg("path", { class: "grip", d }));
    const tell = () => ($("readout").textContent = describe(i, j));
    group.addEventListener("mouseenter", tell);
    group.addEventListener("focus", tell);
    picture.append(group);
  }
  layers.forEach((layer, k) => {
    picture.append(svg("text", { class: "small", x: left + 12, y: k * 78 + 4 }, String(k + 1)));
    for (const s of layer) {
      const { x, y } = places[s], f1 = DATA.scores[s] && DATA.scores[s].f1;
      const full = svg("title", {}, DATA.systems[s]);
      const box = svg("g", {}, full, svg("rect", { class: "box", x: x - width / 2, y: y - 22, width, height: 44, rx: 7 }),
        svg("text", { x, y: f1 === undefined ? y + 5 : y - 2, "text-anchor": "middle" }, short(DATA.systems[s])));
      if (f1 !== undefined && f1 !== null) {
        box.append(svg("text", { class: "small", x, y: y + 14, "text-anchor": "middle" }, "F1 " + f1.toFixed(3)));
      }
      picture.append(box);
    }
  });
  const zoom = (factor) => {
    view.x += view.w * (1 - factor) / 2; view.y += view.h * (1 - factor) / 2;
    view.w *= factor; view.h *= factor; frame();
  };
  $("zoom-in").onclick = () => zoom(0.8);
  $("zoom-out").onclick = () => zoom(1.25);
  $("zoom-all").onclick = drawGraph;
  let from = null;
  picture.addEventListener("pointerdown", (e) => (from = [e.clientX, e.clientY]));
  window.onpointerup = () => (from = null);
  picture.addEventListener("pointermove", (e) => {
    if (!from) return;
    const scale = view.w / picture.clientWidth;
    view.x -= (e.clientX - from[0]) * scale; view.y -= (e.clientY - from[1]) * scale;
    from = [e.clientX, e.clientY]; frame();
  });
  picture.addEventListener("wheel", (e) => {
    if (e.ctrlKey) { e.preventDefault(); zoom(e.deltaY < 0 ? 0.9 : 1.1); }
  }, { passive: false });
  frame();
  picture.style.maxWidth = Math.round(wide * 1.25) + "px";
  $("graph").replaceChildren(picture);
  const left_out = edges.length - shown.length;
  $("graph-note").textContent = edges.length
    ? `${edges.length} significant differences at α = ${state.alpha}; an arrow points from better to worse` +
      (left_out ? ` (${left_out} that follow from others are not drawn).` : ".")
    : `No difference is significant at α = ${state.alpha}.`;
  const rank = ranks(edges);
  DATA.systems.forEach((_, s) => {
    const cell = document.querySelector(`[data-rank="${s}"]`);
    if (cell) cell.textContent = rank[s][0] === rank[s][1] ? rank[s][0] : `${rank[s][0]}–${rank[s][1]}`;
  });
  return edges;
}
function drawMatrix(edges) {
  const beats = new Set(edges.map(([i, j]) => i + ":" + j)), q = adjusted();
  const head = el("tr", {}, el("th", {}, "adjusted p"), ...DATA.systems.map((s) => el("th", { title: s }, short(s, 12))));
  const rows = DATA.systems.map((s, i) => el("tr", {}, el("th", { class: "name", title: s }, short(s)),
    ...DATA.systems.map((_, j) => {
      if (i === j) return el("td", {}, "");
      const kind = beats.has(i + ":" + j) ? "better" : beats.has(j + ":" + i) ? "worse" : "";
      const sign = { better: "▲ ", worse: "▽ " }[kind] || "";
      const cell = el("td", { class: "cell " + kind, tabindex: 0, "aria-label": describe(i, j) }, sign + pvalue(q[i][j]));
      const tell = () => ($("matrix-readout").textContent = describe(i, j));
      cell.addEventListener("mouseenter", tell);
      cell.addEventListener("focus", tell);
      return cell;
    })));
  $("matrix").replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}
function redraw() { drawMatrix(drawGraph()); }

function choose(id, names, key) {
  const select = $(id);
  for (const name of names) select.append(el("option", { value: name }, name));
  select.value = state[key];
  select.addEventListener("change", () => { state[key] = select.value; redraw(); });
}
if (DATA.views) {
  const first = DATA.views[state.view];
  choose("view", Object.keys(DATA.views), "view");
  choose("test", Object.keys(first.adjusted), "test");
  choose("correction", Object.keys(first.adjusted[state.test]), "correction");
  $("alpha").value = state.alpha;
  $("alpha").addEventListener("input", () => {
    const alpha = Number($("alpha").value);
    if (alpha > 0 && alpha < 1) { state.alpha = alpha; redraw(); }
  });
  redraw();
}

/* ---- curves ---- */
function chart(id, xName, yName, lines, contours) {
  const [w, h, m] = [420, 300, 42], X = (x) => m + x * (w - m - 10), Y = (y) => h - m - y * (h - m - 10);
  const picture = svg("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": `${yName} against ${xName}` });
  for (let t = 0; t <= 1.001; t += 0.2) {
    picture.append(svg("text", { x: X(t), y: h - m + 16, "text-anchor": "middle" }, t.toFixed(1)),
      svg("text", { x: m - 7, y: Y(t) + 4, "text-anchor": "end" }, t.toFixed(1)));
  }
  picture.append(svg("path", { class: "axis", d: `M${X(0)} ${Y(1)}V${Y(0)}H${X(1)}` }),
    svg("text", { x: X(0.5), y: h - 8, "text-anchor": "middle" }, xName),
    svg("text", { x: 12, y: Y(0.5), "text-anchor": "middle", transform: `rotate(-90 12 ${Y(0.5)})` }, yName));
  for (const f of contours ? [0.2, 0.4, 0.6, 0.8] : []) {
    const points = [];
    for (let r = f / 2 + 0.005; r <= 1; r += 0.01) { const p = f * r / (2 * r - f); if (p <= 1) points.push(`${X(r)} ${Y(p)}`); }
    picture.append(svg("path", { class: "contour", d: "M" + points.join("L") }),
      svg("text", { x: X(1) - 4, y: Y(f / (2 - f)) - 3, "text-anchor": "end" }, "F " + f));
  }
  lines.forEach(({ points }, i) => picture.append(svg("path", { fill: "none", "stroke-width": 1.8,
    stroke: COLOURS[i % COLOURS.length], "stroke-dasharray": i < COLOURS.length ? "none" : "5 3",
    d: "M" + points.map(([x, y]) => `${X(x)} ${Y(y)}`).join("L") })));
  $(id).replaceChildren(picture);
}
if (DATA.curves) {
  const names = Object.keys(DATA.curves).filter((n) => DATA.curves[n].threshold.length > 1);
  const lines = (x, y) => names.map((n) => ({ points: DATA.curves[n][x].map((v, i) => [v, DATA.curves[n][y][i]]) }));
  chart("pr-chart", "recall", "precision", lines("recall", "precision"), true);
  chart("threshold-chart", "threshold", "F1", lines("threshold", "f1"), false);
  $("legend").replaceChildren(...names.map((n, i) => {
    const mark = el("i");
    mark.style.borderTopColor = COLOURS[i % COLOURS.length];
    mark.style.borderTopStyle = i < COLOURS.length ? "solid" : "dashed";
    return el("span", {}, mark, short(n));
  }));
}

/* ---- cases ---- */
if (DATA.cases) {
  const { entities1, entities2, rows } = DATA.cases, PAGE = 50;
  let page = 0;
  const kinds = {
    "found by one system only": (r) => r[3].length === 1,
    "right, found by one system only": (r) => r[2] === 1 && r[3].length === 1,
    "wrong, found by several": (r) => r[2] === 0 && r[3].length > 1,
    "right, found by nobody": (r) => r[2] === 1 && r[3].length === 0,
    "all": () => true,
  };
  const kind = $("case-kind"), system = $("case-system"), search = $("case-search");
  for (const name of Object.keys(kinds)) kind.append(el("option", {}, name));
  system.append(el("option", { value: "" }, "any system"));
  DATA.systems.forEach((s, i) => {
    system.append(el("option", { value: "found:" + i }, `found by ${short(s)}`),
      el("option", { value: "wrong:" + i }, `wrong in ${short(s)}`),
      el("option", { value: "missed:" + i }, `missed by ${short(s)}`));
  });
  const text = rows.map((r) => [...entities1[r[0]], ...entities2[r[1]]].join(" ").toLowerCase());
  const show = () => {
    const [mode, which] = system.value.split(":"), s = Number(which), wanted = search.value.trim().toLowerCase();
    const hits = rows.filter((r, i) => kinds[kind.value](r) && (!wanted || text[i].includes(wanted)) &&
      (!mode || (mode === "found" ? r[3].includes(s) : mode === "wrong" ? r[2] === 0 && r[3].includes(s)
        : r[2] === 1 && !r[3].includes(s))));
    const pages = Math.max(1, Math.ceil(hits.length / PAGE));
    page = Math.min(page, pages - 1);
    $("case-count").textContent = `${hits.length} correspondences, page ${page + 1} of ${pages}`;
    const named = ([iri, label]) => el("td", { title: iri }, label);
    $("case-rows").replaceChildren(...hits.slice(page * PAGE, (page + 1) * PAGE).map((r) => el("tr", {},
      named(entities1[r[0]]), named(entities2[r[1]]),
      el("td", { class: r[2] ? "yes" : "no" }, { 1: "✓ right", 0: "✗ wrong", "-1": "not judged" }[r[2]]),
      el("td", {}, r[3].length === DATA.systems.length ? "all" : r[3].map((i) => DATA.systems[i]).join(", ") || "nobody"))));
  };
  for (const control of [kind, system, search]) control.addEventListener("input", () => { page = 0; show(); });
  $("case-back").onclick = () => { page = Math.max(0, page - 1); show(); };
  $("case-next").onclick = () => { page += 1; show(); };
  show();
}
document.body.dataset.ready = "yes";
