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
function verdict(edges) {
  const view = DATA.views[state.view], [best, ...rivals] = bestFirst(edges);
  const f1 = (DATA.scores[best] || {}).f1, values = [];
  if (view.values) values.push(`${view.quantity} ${view.values[best].toFixed(3)}`);
  if (f1 !== undefined && f1 !== null) values.push(`F1 ${f1.toFixed(3)}`);
  const reached = `${DATA.systems[best]} scores best${values.length ? ` (${values.join(", ")})` : ""}`;
  if (!edges.length) return [`${reached}, but no difference is significant.`, ""];
  const beaten = new Set(edges.filter(([i]) => i === best).map(([, j]) => j));
  const worse = rivals.filter((s) => beaten.has(s)), open = rivals.filter((s) => !beaten.has(s));
  const areWorse = `${otherNames(worse, rivals.length)} ${worse.length === 1 ? "is" : "are"} significantly worse.`;
  if (!open.length) return [`${reached}; ${areWorse}`, ""];
  const first = `${reached}; ${named(open)} ${open.length === 1 ? "is" : "are"} not significantly different.`;
  return [first, worse.length > 1 ? areWorse[0].toUpperCase() + areWorse.slice(1) : worse.length ? areWorse : ""];
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
  const assumed = view.assumes && !isOutOfReach ? ` The tests assume independent ${view.assumes}.` : "";
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
  const fixed = switched().some((key) => key !== "view"); // what was computed for one choice stays that of this choice
  const words = new Map();
  for (const [i, j] of all) words.set(i * n + j, "better").set(j * n + i, "worse");
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
      const now = { "it is": words.get(i * n + j) || "undecided", "adjusted p": shownP(q[i][j]) };
      heads.forEach((head, k) => {
        if (now[head] === undefined) return;
        const cell = row.cells[k], made = cell.dataset.made = cell.dataset.made || cell.textContent;
        cell.textContent = fixed ? now[head] : made;
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
