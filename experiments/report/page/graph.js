/* ---- the graph and the matrix: arrows, layers, ranks ---- */
function pvalue(p, log10) {
  if (p === null || p === undefined) return "–";
  if (p > 0 && p < 1e-4) return p.toExponential(1);
  if (p === 0) return log10 === undefined || log10 === null ? "< 1e-300" : "1e" + Math.round(log10);
  return p.toFixed(4);
}
const brief = (p) => (p === null ? "–" : p < 0.001 ? "<.001" : p.toFixed(3).replace(/^0/, ""));
const state = { ...DATA.defaults };

function adjusted(correction = state.correction) {
  return DATA.views[state.view].adjusted[state.test][correction];
}
function arrows() {
  const ahead = DATA.views[state.view].advantage[state.test], q = adjusted(), edges = [];
  ahead.forEach((row, i) => row.forEach((lead, j) => {
    if (i !== j && lead > 0 && q[i][j] !== null && q[i][j] <= state.alpha) edges.push([i, j]);
  }));
  return edges;
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
/* Letters, best first: systems that share one do not differ (`evaluation.ranking.letter_display`). */
function letters(edges) {
  const order = bestFirst(edges), n = order.length, groups = [];
  const differ = new Set(edges.flatMap(([i, j]) => [i * n + j, j * n + i]));
  const near = (a, b) => a !== b && !differ.has(order[a] * n + order[b]);
  const grow = (group, open, done) => { // Bron and Kerbosch: every largest group of which no two differ
    if (!open.length && !done.length) { groups.push([...group].sort((a, b) => a - b)); return; }
    const reach = (a) => open.filter((b) => near(a, b)).length;
    const pivot = [...open, ...done].reduce((a, b) => (reach(b) > reach(a) ? b : a));
    for (const a of open.filter((b) => !near(pivot, b))) {
      grow([...group, a], open.filter((b) => near(a, b)), done.filter((b) => near(a, b)));
      open = open.filter((b) => b !== a);
      done = [...done, a];
    }
  };
  grow([], order.map((_, a) => a), []);
  const first = (a, b) => { const k = a.findIndex((x, m) => x !== b[m]); return k < 0 ? -1 : b[k] === undefined ? 1 : a[k] - b[k]; };
  groups.sort(first);
  const signs = order.map(() => "");
  groups.forEach((group, k) => { for (const a of group) signs[a] += String.fromCharCode(97 + (k % 26)) + (k < 26 ? "" : Math.floor(k / 26)); });
  return new Map(order.map((s, a) => [s, signs[a]]));
}
function reduction(edges) {
  /* Leave out what follows from others, but only where the graph is transitive: else draw it whole. */
  const n = DATA.systems.length, has = new Set(edges.map(([i, j]) => i * n + j));
  for (const [i, j] of edges) for (const [k, l] of edges) {
    if (j === k && !has.has(i * n + l)) return edges;
  }
  return edges.filter(([i, j]) => !DATA.systems.some((_, k) => has.has(i * n + k) && has.has(k * n + j)));
}
/* The systems by the tested quantity, then by name; by rank first where a difference points against it: `Pairwise.order`. */
function bestFirst(edges) {
  const rank = ranks(edges), view = DATA.views[state.view], sign = view.less_is_better ? -1 : 1, names = DATA.systems;
  const quantity = view.values ? view.values.map((value) => sign * value) : view.advantage[state.test].map((row) => row[0]);
  const byRank = edges.some(([i, j]) => quantity[i] < quantity[j]);
  return names.map((_, s) => s).sort((i, j) => (byRank && (rank[i][0] - rank[j][0] || rank[i][1] - rank[j][1])) ||
    quantity[j] - quantity[i] || (names[i] < names[j] ? -1 : 1));
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
  const view = DATA.views[state.view], [a, b] = [DATA.systems[i], DATA.systems[j]].map((s) => SHOWN.get(s));
  const log = (view.log10_p || {})[state.test];
  const unit = view.unit || "that only NAME has right (CODE)";
  const counted = (n, name, code) => `${n} ${unit.replace("NAME", name).replace("CODE", code)}`;
  const lead = view.advantage[state.test][i][j];
  const found = view.discordant
    ? `${counted(view.discordant[i][j], a, "n10")}, ${counted(view.discordant[j][i], b, "n01")}`
    : `${lead < 0 ? "behind" : "ahead"} by ${Math.abs(lead).toFixed(4)} in ${state.view}`;
  return `${a} against ${b}: ${found}; p = ${pvalue(view.p[state.test][i][j], log && log[i][j])}, ` +
    `adjusted p = ${pvalue(adjusted()[i][j])} (${state.test}, ${state.correction}).`;
}
function describeSystem(s, edges) {
  const n = DATA.systems.length, better = edges.filter(([i]) => i === s).length;
  const worse = edges.filter(([, j]) => j === s).length;
  return `${SHOWN.get(DATA.systems[s])}: better than ${better}, worse than ${worse}, ` +
    `not significantly different from ${n - 1 - better - worse}.`;
}
function drawGraph() {
  const edges = arrows(), shown = reduction(edges), layers = layersOf(edges);
  const width = 30 + 7 * Math.max(...DATA.systems.map((s) => SHOWN.get(s).length), 6);
  const { places, lanes } = place(layers, shown, width);
  const xs = Object.values(places).concat(...lanes.values()).map((p) => p.x);
  const left = Math.min(...xs) - width / 2 - 20, wide = Math.max(...xs) + width / 2 + 20 - left;
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
    const group = svg("g", { class: "edge", role: "img", "aria-label": describe(i, j) },
      svg("path", { class: "arrow", d, "marker-end": "url(#tip)" }), svg("path", { class: "grip", d }));
    tells(group, () => describe(i, j));
    picture.append(group);
  }
  layers.forEach((layer) => {
    for (const s of layer) {
      const { x, y } = places[s], f1 = DATA.scores[s] && DATA.scores[s].f1;
      const box = svg("g", { class: "system", role: "img", "aria-label": describeSystem(s, edges) }, svg("rect", { class: "box", x: x - width / 2, y: y - 22, width, height: 44, rx: 7 }),
        svg("text", { x, y: f1 === undefined ? y + 5 : y - 2, "text-anchor": "middle" }, SHOWN.get(DATA.systems[s])));
      if (f1 !== undefined && f1 !== null) {
        box.append(svg("text", { class: "small", x, y: y + 14, "text-anchor": "middle" }, "F1 " + decimals(f1)));
      }
      tells(box, () => describeSystem(s, edges));
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
  oneStop(picture, [[...picture.querySelectorAll(".edge, .system")]]);
  const left_out = edges.length - shown.length;
  $("graph-note").textContent = edges.length
    ? `${edges.length} significant difference${edges.length === 1 ? "" : "s"} at α = ${state.alpha}; an arrow points from better to worse` +
      (left_out ? ` (${left_out} that follow from others are not drawn).` : ".")
    : `No difference is significant at α = ${state.alpha}.`;
  const rank = ranks(edges);
  DATA.systems.forEach((_, s) => {
    const cell = document.querySelector(`[data-rank="${s}"]`);
    if (cell) cell.textContent = rank[s][0] === rank[s][1] ? rank[s][0] : `${rank[s][0]}–${rank[s][1]}`;
  });
  const order = bestFirst(edges), rows = [...document.querySelectorAll("[data-rank]")];
  rows.sort((a, b) => order.indexOf(Number(a.dataset.rank)) - order.indexOf(Number(b.dataset.rank)));
  const signs = letters(edges);
  for (const cell of rows) {
    const shared = cell.parentNode.querySelector("[data-letters]");
    if (shared) shared.textContent = signs.get(Number(cell.dataset.rank));
    cell.parentNode.parentNode.append(cell.parentNode);
  }
  return edges;
}
function drawMatrix(edges) {
  const order = bestFirst(edges), q = adjusted(), heads = shortNames(DATA.systems, 11);
  const beats = new Set(edges.map(([i, j]) => i + ":" + j));
  const head = el("tr", {}, el("th", { scope: "col" }, "system"), ...order.map((j) => el("th", { scope: "col", title: DATA.systems[j] }, heads.get(DATA.systems[j]))));
  const rows = order.map((i) => el("tr", {}, el("th", { scope: "row", class: "name", title: DATA.systems[i] }, SHOWN.get(DATA.systems[i])),
    ...order.map((j) => {
      if (i === j) return el("td", { class: "self" }, "");
      const kind = beats.has(i + ":" + j) ? "better" : beats.has(j + ":" + i) ? "worse" : "";
      const sign = { better: "▲ ", worse: "▽ " }[kind] || "";
      const cell = el("td", { class: "cell " + kind, "aria-label": describe(i, j) }, sign + brief(q[i][j]));
      tells(cell, () => describe(i, j));
      return cell;
    })));
  const table = el("table", { role: "grid", "aria-label": "Adjusted p-values of every pair" }, el("thead", {}, head), el("tbody", {}, ...rows));
  $("matrix").replaceChildren(table);
  oneStop(table, rows.map((row) => [...row.cells].slice(1).map((cell) => (cell.className === "self" ? null : cell))));
}
function redraw() {
  if (!adjusted()) { state.correction = "bergmann-hommel"; showChoices(); } // not every test has every correction
  const all = drawGraph();
  drawMatrix(all);
  followAnswer(all);
  followCautions();
  followTables(all);
  writeAddress();
}

function showChoices() { for (const key of Object.keys(DATA.defaults)) $(key).value = state[key]; }
function choose(id, names, key) {
  const select = $(id);
  select.parentNode.hidden = names.length < 2; // nothing to choose
  for (const name of names) select.append(el("option", { value: name }, name));
  select.addEventListener("change", () => { state[key] = select.value; redraw(); });
}
if (DATA.views) {
  const first = DATA.views[state.view];
  choose("view", Object.keys(DATA.views), "view");
  choose("test", Object.keys(first.adjusted), "test");
  choose("correction", Object.keys(first.adjusted[state.test]), "correction");
  $("alpha").addEventListener("input", () => {
    const alpha = Number($("alpha").value);
    const usable = alpha > 0 && alpha < 1;
    $("alpha").setAttribute("aria-invalid", String(!usable));
    if (usable) { state.alpha = alpha; redraw(); }
  });
  const begin = () => { readAddress(); showChoices(); redraw(); };
  addEventListener("hashchange", begin);
  for (const link of document.querySelectorAll("nav a")) {
    link.addEventListener("click", (e) => {
      e.preventDefault();
      $(link.hash.slice(1)).scrollIntoView();
      writeAddress(link.hash.slice(1));
    });
  }
  begin();
}

