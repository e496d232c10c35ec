/* ---- cases: rows are [source, target, judged, who found it, relation, near miss] ---- */
const STEPS = ["target one step up", "target one step down", "source one step up", "source one step down"];

if (DATA.cases) {
  const { entities1, entities2, rows } = DATA.cases, PAGE = 50;
  const has = (r, s) => (s === null ? r[3].length > 0 : r[3].includes(s));
  const KINDS = {
    only: ["right, found by one system only", (r, s) => r[2] === 1 && r[3].length === 1 && has(r, s)],
    near: ["near misses", (r, s) => r.length > 5 && has(r, s)],
    wrong: ["wrong", (r, s) => r[2] === 0 && has(r, s)],
    alone: ["wrong, found by one system only", (r, s) => r[2] === 0 && r[3].length === 1 && has(r, s)],
    shared: ["wrong, found by several", (r, s) => r[2] === 0 && r[3].length > 1 && has(r, s)],
    missed: ["missed", (r, s) => r[2] === 1 && !has(r, s)],
    right: ["right", (r, s) => r[2] === 1 && has(r, s)],
    open: ["not judged", (r, s) => r[2] === -1 && has(r, s)],
    all: ["all", () => true],
  };
  const right = [new Map(), new Map()];
  const add = (map, key, row) => (map.has(key) ? map.get(key).push(row) : map.set(key, [row]));
  for (const r of rows) if (r[2] === 1) { add(right[0], r[0], r); add(right[1], r[1], r); }
  const kind = $("case-kind"), system = $("case-system"), search = $("case-search");
  const present = Object.keys(KINDS).filter((k) => k === "all" || rows.some((r) => KINDS[k][1](r, null)) || k === "missed");
  for (const name of present) kind.append(el("option", { value: name }, KINDS[name][0]));
  system.append(el("option", { value: "" }, "any system"));
  DATA.systems.forEach((s, i) => system.append(el("option", { value: i }, SHOWN.get(s))));
  const text = rows.map((r) => [...entities1[r[0]], ...entities2[r[1]]].join(" ").toLowerCase());
  const pair = (i, j) => `${short(entities1[i][1], 80)} – ${short(entities2[j][1], 80)}`;
  /* Instead of a wrong pair: what the reference has for its entities; of a missed one: what was found. */
  const instead = (r, s) => {
    if (r.length > 5) return [`${pair(r[5][0], r[5][1])} (${STEPS[r[5][2]]})`];
    if (r[2] === 0) return [...(right[0].get(r[0]) || []), ...(right[1].get(r[1]) || [])].map((x) => pair(x[0], x[1]));
    if (r[2] === 1 && s !== null && !has(r, s)) {
      return rows.filter((x) => x !== r && has(x, s) && (x[0] === r[0] || x[1] === r[1])).map((x) => pair(x[0], x[1]));
    }
    return [];
  };
  let page = 0;
  const show = () => {
    const s = system.value === "" ? null : Number(system.value), wanted = search.value.trim().toLowerCase();
    const hits = rows.filter((r, i) => KINDS[kind.value][1](r, s) && (!wanted || text[i].includes(wanted)));
    if (kind.value === "shared") hits.sort((a, b) => b[3].length - a[3].length);
    const pages = Math.max(1, Math.ceil(hits.length / PAGE));
    page = Math.min(page, pages - 1);
    $("case-count").textContent = `${hits.length} correspondence${hits.length === 1 ? "" : "s"}` +
      (pages > 1 ? `, page ${page + 1} of ${pages}` : "");
    $("case-back").disabled = page === 0;
    $("case-next").disabled = page === pages - 1;
    const missed = kind.value === "missed" && s !== null;
    $("case-instead").textContent = missed ? "found instead" : "the reference has";
    const cell = (name, attributes, ...children) => el("td", { "data-head": name, ...attributes }, ...children);
    const named = (name, [iri, label]) => cell(name, { title: iri }, el("bdi", {}, short(label, 300)));
    const shown = hits.slice(page * PAGE, (page + 1) * PAGE), others = shown.map((r) => instead(r, s).slice(0, 3));
    const useful = others.some((x) => x.length);
    $("case-instead").hidden = !useful;
    $("case-rows").replaceChildren(...shown.map((r, n) => {
      const verdict = { 1: "✓ right", 0: r.length > 5 ? "✗ near miss" : "✗ wrong", "-1": "? not judged" }[r[2]];
      const who = r[3].length === DATA.systems.length && r[3].length > 1 ? "all" : r[3].map((i) => SHOWN.get(DATA.systems[i])).join(", ") || "nobody";
      return el("tr", {}, named("source", entities1[r[0]]), named("target", entities2[r[1]]),
        cell("judged", { class: r[2] === 1 ? "yes" : r[2] === 0 ? "no" : "" }, verdict + (r[4] ? ` (${r[4]})` : "")),
        cell("found by", {}, who),
        ...(useful ? [cell($("case-instead").textContent, {}, ...others[n].map((x) => el("div", {}, el("bdi", {}, x))))] : []));
    }));
  };
  for (const control of [kind, system, search]) control.addEventListener("input", () => { page = 0; show(); });
  $("case-back").onclick = () => { page -= 1; show(); };
  $("case-next").onclick = () => { page += 1; show(); };
  for (const cell of document.querySelectorAll("[data-kind]")) {
    const [name, isOfKind] = KINDS[cell.dataset.kind], number = rows.filter((r) => isOfKind(r, Number(cell.dataset.system))).length;
    if (!number) continue;
    const button = el("button", { type: "button", class: "link", "aria-label": `${number} ${name}: show` }, String(number));
    button.onclick = () => {
      [kind.value, system.value, search.value, page] = [cell.dataset.kind, cell.dataset.system, "", 0];
      show();
      $("case-by-case").scrollIntoView();
      kind.focus({ preventScroll: true });
    };
    cell.replaceChildren(button);
  }
  show();
}
document.body.dataset.ready = "yes";
