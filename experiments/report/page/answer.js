/* ---- the answer, the cautions, the tables and the address follow the choices ---- */
const listed = (names) => {
  if (names.length > MOST.names) names = [...names.slice(0, MOST.some), `${names.length - MOST.some} others`];
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};
const named = (indices) => listed(indices.map((s) => DATA.systems[s]));
const MOST = { names: 12, some: 6 };

/* What `evaluation.ranking.answer` says: the first sentence, and the rest. */
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
function otherNames(worse, all) {
  const spelt = NUMBERS[worse.length] || String(worse.length);
  if (worse.length === 1) return named(worse);
  if (worse.length < all) return `the other ${spelt}`;
  return worse.length === 2 ? "both others" : `all ${spelt} others`;
}
/* The systems that share the highest value, and do not differ: `Pairwise.best`. */
function leadersOf(edges, order) {
  const view = DATA.views[state.view], value = view.values ? (s) => view.values[s] : (s) => view.advantage[state.test][s][0];
  const end = order.findIndex((s) => value(s) !== value(order[0])), equal = order.slice(0, end < 0 ? order.length : end);
  return edges.some(([i, j]) => equal.includes(i) && equal.includes(j)) ? equal.slice(0, 1) : equal;
}
function reachedBy(leaders) {
  const view = DATA.views[state.view], f1 = DATA.scores.map((scores) => scores.f1), shared = [];
  for (const [name, values] of [[view.quantity, view.values], ["F1", f1]]) {
    const first = values && values[leaders[0]];
    if (typeof first === "number" && leaders.every((s) => values[s] === first)) shared.push(`${name} ${decimals(first)}`);
  }
  return shared.length ? ` (${shared.join(", ")})` : "";
}
function verdict(edges) {
  const order = bestFirst(edges), leaders = leadersOf(edges, order), rivals = order.slice(leaders.length);
  const view = DATA.views[state.view], has = new Set(edges.map(([i, j]) => i * order.length + j));
  if (!rivals.length && view.discordant && !view.discordant.flat().some(Boolean)) {
    return [`${named(order)} give the same answers${reachedBy(order)}: they are equal.`, null];
  }
  if (!rivals.length) return [`${named(order)} score the same${reachedBy(order)}.`, ""];
  const reached = `${named(leaders)} score${leaders.length === 1 ? "s" : ""} best${reachedBy(leaders)}`;
  if (!edges.length) return [`${reached}, but no difference is significant.`, ""];
  const betterThan = (s) => leaders.filter((i) => has.has(i * order.length + s));
  const worse = rivals.filter((s) => betterThan(s).length === leaders.length), open = rivals.filter((s) => !betterThan(s).length);
  const areWorse = `${otherNames(worse, rivals.length)} ${worse.length === 1 ? "is" : "are"} significantly worse.`;
  if (worse.length && worse.length === rivals.length) return [`${reached}; ${areWorse}`, ""];
  const rest = rivals.filter((s) => !worse.includes(s) && !open.includes(s))
    .map((s) => `${named([s])} is significantly worse than ${named(betterThan(s))} only.`);
  if (worse.length) rest.unshift(worse.length > 1 ? areWorse[0].toUpperCase() + areWorse.slice(1) : areWorse);
  if (!open.length) return [`${reached}.`, rest.join(" ")];
  return [`${reached}; ${named(open)} ${open.length === 1 ? "is" : "are"} not significantly different.`, rest.join(" ")];
}

/* The choices that are not those that the results were made with. */
const switched = () => Object.keys(DATA.defaults).filter((key) => String(state[key]) !== String(DATA.defaults[key]));
const asMade = { answer: null, validity: null };

function followAnswer(all) {
  const box = document.querySelector(".answer"), changes = switched(), view = DATA.views[state.view];
  asMade.answer = asMade.answer || [...box.childNodes];
  const told = changes.map((key) => `${key} ${DATA.defaults[key]} → ${state[key]}`).join(", ");
  $("switched").textContent = told || "nothing since the results were made";
  if (!changes.length) { box.replaceChildren(...asMade.answer); return; }
  const isOutOfReach = view.out_of_reach && changes.every((key) => key === "view"); // known for what was decided
  const [first, rest] = isOutOfReach ? [view.out_of_reach, ""] : verdict(all);
  const assumed = view.assumes && !isOutOfReach && rest !== null ? ` The tests assume independent ${view.assumes}.` : "";
  const said = [el("p", {}, el("strong", {}, first), rest && ` ${rest}`, assumed)];
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
  const place = new Map(DATA.systems.map((name, s) => [name, s])), n = DATA.systems.length, q = adjusted();
  const isOfOtherView = ({ dataset }) => (dataset.view || state.view) !== state.view;
  const fixed = switched().some((key) => key !== "view"); // what was computed for one choice stays that of this choice
  const words = new Map();
  for (const [i, j] of all) words.set(i * n + j, "better").set(j * n + i, "worse");
  for (const part of document.querySelectorAll(".table")) {
    const columns = [...part.querySelectorAll("th")].map((th) => th.dataset.column), rows = [...part.querySelectorAll("tbody tr")];
    for (const row of rows) row.hidden = isOfOtherView(row);
    const folded = part.querySelector("details"), shown = rows.filter((row) => !row.hidden).length;
    if (folded) folded.querySelector("summary").textContent = `${folded.dataset.title} (${shown} rows)`;
    part.hidden = isOfOtherView(part) || (rows.length > 0 && !shown);
    part.classList.toggle("as-decided", fixed && columns.includes("verdict"));
    if (!part.dataset.view || part.hidden) continue;
    for (const row of rows) {
      const i = place.get(row.dataset.system), j = place.get(row.dataset.other);
      const now = { it_is: words.get(i * n + j) || "undecided", adjusted_p: shownP(q[i][j]) };
      columns.forEach((column, k) => {
        if (now[column] === undefined) return;
        const cell = row.cells[k], made = cell.dataset.made = cell.dataset.made || cell.textContent;
        cell.textContent = fixed ? now[column] : made;
      });
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
