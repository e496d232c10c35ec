/* ---- the answer, the cautions, the tables and the address follow the choices ---- */
const listed = (names) => {
  if (names.length > MOST.names) names = [...names.slice(0, MOST.some), `${names.length - MOST.some} others`];
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};
const named = (indices) => listed(indices.map((s) => DATA.systems[s]));
const FEW = 4;
const MOST = { groups: 6, pairs: 6, systems: 20, names: 12, some: 6 };

/* The largest sets of systems without an arrow between any two, the best first (Bron and Kerbosch). */
function undecidedGroups(edges) {
  const n = DATA.systems.length, losses = new Array(n).fill(0), found = [];
  const tied = DATA.systems.map((_, i) => DATA.systems.map((_, j) => i !== j));
  for (const [i, j] of edges) { tied[i][j] = tied[j][i] = false; losses[j] += 1; }
  const grow = (group, open, done) => {
    if (!open.length && !done.length && group.length > 1) found.push(group.sort((a, b) => a - b));
    const many = (s) => open.filter((t) => tied[s][t]).length;
    const pivot = [...open, ...done].sort((a, b) => many(b) - many(a))[0];
    for (const s of open.filter((t) => !tied[pivot][t])) {
      grow([...group, s], open.filter((t) => tied[s][t]), done.filter((t) => tied[s][t]));
      open = open.filter((t) => t !== s);
      done = [...done, s];
    }
  };
  grow([], DATA.systems.map((_, s) => s), []);
  const lost = (group) => group.reduce((sum, s) => sum + losses[s], 0) / group.length;
  const names = (group) => group.map((s) => DATA.systems[s]).join("\u0000");
  return found.sort((a, b) => lost(a) - lost(b) || (names(a) < names(b) ? -1 : 1));
}
/* What `evaluation.ranking.answer` says: the first sentence, and the rest. */
function verdict(edges) {
  const n = DATA.systems.length, all = DATA.systems.map((_, s) => s), pairs = n * (n - 1) / 2;
  if (!edges.length) return [`No difference is significant: ${named(all)} cannot be told apart.`, ""];
  const each = edges.map(([i, j]) => `${DATA.systems[i]} is better than ${DATA.systems[j]}`);
  if (n === 2) return [`${each[0]}.`, ""];
  if (edges.length < FEW && n > FEW) {
    return [`${each.join("; ")}.`, `No other of the ${pairs} differences is significant.`];
  }
  const beats = (s) => edges.filter(([i]) => i === s).length;
  const best = all.filter((s) => !edges.some(([, j]) => j === s));
  const others = { 3: "the other two", 4: "the other three", 5: "the other four" }[n] || `all ${n - 1} others`;
  const first = !best.length ? "Each is beaten by another."
    : best.length > 1 ? `${named(best)} are beaten by none.`
    : beats(best[0]) === n - 1 ? `${named(best)} is better than ${others}.`
    : `${named(best)} is beaten by none and better than ${beats(best[0])} of the ${n - 1} others.`;
  if (edges.length === pairs) return [first, "Every difference is significant."];
  const groups = n > MOST.systems ? null : undecidedGroups(edges);
  if (groups === null || groups.length > MOST.groups) return [first, `${pairs - edges.length} of the ${pairs} pairs cannot be told apart.`];
  if (groups.length === 1) return [first, `${named(groups[0])} cannot be told apart.`];
  return [first, `Cannot be told apart: ${groups.map(named).join("; ")}.`];
}
/* Pairs without an arrow that differ on too few units for any. */
function undecidable(all) {
  const { differing } = DATA.views[state.view], n = DATA.systems.length, found = [];
  const enough = Math.ceil(1 + Math.log2(n * (n - 1) / 2 / state.alpha));
  const known = new Set(all.flatMap(([i, j]) => [i * n + j, j * n + i]));
  for (let i = 0; differing && i < n; i++) for (let j = i + 1; j < n; j++) {
    if (differing[i][j] < enough && !known.has(i * n + j)) found.push([i, j]);
  }
  return found;
}
const someOf = (pairs, between) => pairs.slice(0, MOST.pairs).map(([i, j]) => DATA.systems[i] + between + DATA.systems[j]).join("; ") +
  (pairs.length > MOST.pairs ? ` and ${pairs.length - MOST.pairs} more` : "");

/* The choices that are not those that the results were made with. */
const switched = () => Object.keys(DATA.defaults).filter((key) => String(state[key]) !== String(DATA.defaults[key]));
const asMade = { answer: null, validity: null };

function followAnswer(all) {
  const box = document.querySelector(".answer"), changes = switched(), view = DATA.views[state.view];
  asMade.answer = asMade.answer || [...box.childNodes];
  const told = changes.map((key) => `${key} ${DATA.defaults[key]} → ${state[key]}`).join(", ");
  $("switched").textContent = told || "nothing since the results were made";
  if (!changes.length) { box.replaceChildren(...asMade.answer); return; }
  const [first, rest] = verdict(firm(all)), loose = all.filter((e) => e[2]), few = undecidable(all);
  const said = [el("p", {}, el("strong", {}, (view.assumes ? `If ${view.assumes} are independent: ` : "") + first), " " + rest)];
  if (loose.length) {
    const together = view.together || "with siblings resampled together";
    said.push(el("p", {}, el("strong", {}, `Better, if ${view.condition || "siblings are independent"}: ${someOf(loose, " over ")}.`),
      ` ${together[0].toUpperCase()}${together.slice(1)} ${loose.length === 1 ? "it does" : "these do"} not stand.`));
  }
  if (few.length) said.push(el("p", {}, `Undecidable here, for too few differences: ${someOf(few, " and ")}.`));
  const back = el("button", { type: "button" }, "Back to what was decided");
  back.onclick = () => { Object.assign(state, DATA.defaults); showChoices(); redraw(); };
  said.push(el("p", { class: "soft" }, `Decided by ${state.test} with ${state.correction}, α = ${state.alpha}, view ${state.view}. Switched: ${told}. `, back));
  box.replaceChildren(...said);
}
function followCautions() {
  const box = document.querySelector(".cautions");
  if (!box) return;
  const changes = switched(), line = $("validity"), own = (DATA.views[state.view].validity || {})[`${state.test} ${state.correction}`];
  let warned = $("warned");
  if (!warned) { warned = el("li", { id: "warned" }, "Switched after the results were seen: what is chosen because of what it shows, no correction mends. Report what was decided before."); box.querySelector("ul").prepend(warned); }
  warned.hidden = !changes.length;
  if (line) { asMade.validity = asMade.validity || line.textContent; line.textContent = changes.length && own ? own : asMade.validity; }
  for (const item of box.querySelectorAll("li[data-view]")) item.hidden = item.dataset.view !== state.view;
  const n = box.querySelectorAll("li:not([hidden])").length;
  box.querySelector("summary").textContent = n === 1 ? "One caution" : `${n} cautions: read them before you quote a result`;
  if (changes.length) box.open = true;
}
function followTables(all) {
  const place = new Map(DATA.systems.map((name, s) => [name, s])), n = DATA.systems.length, q = adjusted(), view = DATA.views[state.view];
  const fixed = switched().some((key) => key !== "view"); // what was computed for one choice stays that of this choice
  const words = new Map(), condition = view.condition || "siblings are independent";
  for (const [i, j] of undecidable(all)) words.set(i * n + j, "undecidable").set(j * n + i, "undecidable");
  for (const [i, j, loose] of all) {
    const held = loose ? ` if ${condition}` : "";
    words.set(i * n + j, "better" + held).set(j * n + i, "worse" + held);
  }
  for (const part of document.querySelectorAll(".table")) {
    const heads = [...part.querySelectorAll("th")].map((th) => th.textContent), rows = [...part.querySelectorAll("tbody tr")];
    part.hidden = Boolean(part.dataset.view) && part.dataset.view !== state.view;
    if (heads[0] === "view") for (const row of rows) row.hidden = row.cells[0].textContent !== state.view;
    const title = part.querySelector("summary"), shown = rows.filter((row) => !row.hidden).length;
    if (title) title.textContent = title.textContent.replace(/\(\d+ rows\)/, `(${shown} rows)`);
    if (rows.length) part.hidden = part.hidden || !shown;
    part.classList.toggle("as-decided", fixed && heads.includes("verdict"));
    if (!part.dataset.view || part.hidden) continue;
    for (const row of rows) {
      const [i, j] = [0, 1].map((k) => place.get(row.cells[k].textContent));
      const now = { "it is": words.get(i * n + j) || "undecided", "adjusted p": shownP(q[i][j]),
        "adjusted p, together": view.siblings && shownP(view.siblings[state.correction][i][j]) };
      heads.forEach((head, k) => { if (now[head] !== undefined) row.cells[k].textContent = now[head]; });
    }
  }
}
const shownP = (p) => (p === null ? "–" : String(Number(p.toPrecision(4))));

/* The address holds the section and what was switched: #pairs&view=ifp&alpha=0.01 */
function writeAddress(section) {
  const now = section === undefined ? location.hash.slice(1).split("&").filter((part) => part && !part.includes("=")) : [section];
  const parts = [...now, ...switched().map((key) => `${key}=${encodeURIComponent(state[key])}`)];
  const address = "#" + parts.join("&");
  if (address !== (location.hash || "#")) history.replaceState(null, "", address);
}
function readAddress() {
  Object.assign(state, DATA.defaults);
  for (const part of location.hash.slice(1).split("&")) {
    const [key, value] = part.split("="), text = decodeURIComponent(value || "");
    if (key === "view" && DATA.views[text]) state.view = text;
    if (key === "test" && DATA.views[state.view].adjusted[text]) state.test = text;
    if (key === "correction" && adjusted(text)) state.correction = text;
    if (key === "alpha" && Number(text) > 0 && Number(text) < 1) state.alpha = Number(text);
    if (!value && key && $(key)) setTimeout(() => $(key).scrollIntoView());
  }
}
