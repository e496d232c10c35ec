
/* The mapping: a list of pairs, and one of entities without a partner. The selected one is what the keys decide. */
const KEY = "alignrank mapping " + DATA.draw + location.search;
const SIDES = ["sources", "targets"];
const CURATED = "semapv:ManualMappingCuration";
const RELATIONS = {
  "=": ["skos:exactMatch", "means the same"], "<": ["skos:broadMatch", "the first is narrower"],
  ">": ["skos:narrowMatch", "the first is broader"], "~": ["skos:closeMatch", "close"],
};
const MOST_LINES = 80, MOST_FOUND = 9;
const OPEN = { verdict: "", relation: "=", date: "" };

/* Each row is a pair with its state; `stated` is the state in the file, or OPEN for a pair that was chosen here. */
const rows = [];
const rowOf = new Map();
const rowsOf = [new Map(), new Map()];
const name = (source, target, relation) => [source, target, relation].join("\t");
function add(pair, facts) {
  const [source, target, relation] = pair;
  const row = { cells: null, evidence: "", change: "", comment: "", ...facts, pair: [source, target], confidence: facts.confidence ?? NaN };
  row.stated = { ...OPEN, relation, verdict: facts.verdict ?? "" };
  row.state = row.stated;
  row.id = rows.length;
  row.name = name(source, target, relation);
  row.words = row.pair.map((iri, side) => words(side, iri)).join("\n");
  rows.push(row);
  rowOf.set(row.name, row);
  row.pair.forEach((iri, side) => {
    if (!rowsOf[side].has(iri)) rowsOf[side].set(iri, []);
    rowsOf[side].get(iri).push(row);
  });
  return row;
}
/* A pair that was chosen here, and then not. */
const isEmpty = (row) => row.cells === null && row.state.verdict === "";
const entity = (side, iri) => DATA[SIDES[side]][iri];
const label = (side, iri) => entity(side, iri).label;
const words = (side, iri) => {
  const e = entity(side, iri);
  return (e.words ??= [e.label, ...(e.synonyms ?? []), e.curie, iri].join("\n").toLowerCase());
};
/* A row of a term that is gone stays in the file and decides nothing. */
const isGone = (row) => row.stated.verdict === "gone";
/* Rows that an entity has and nobody rejected; those that a person accepted. */
const NONE = [];
const partners = (side, iri) => {
  const all = rowsOf[side].get(iri);
  return all ? all.filter((row) => row.state.verdict !== "rejected" && !isGone(row) && !isEmpty(row)) : NONE;
};
const accepted = (side, iri) => partners(side, iri).filter((row) => row.state.verdict === "accepted");
/* Likely partners; a pair that was decided here is none. */
const likely = (side, iri) => {
  const all = DATA.likely[side][iri] ?? NONE, own = rowsOf[side].get(iri);
  return own ? all.filter(([other]) => !own.some((row) => row.pair[1 - side] === other && !isEmpty(row))) : all;
};

/* What was done, the last one last: each a list of [row, before, after]. */
let done = [];
function change(changes) {
  const step = changes.map(([row, after]) => [row, row.state, after]);
  for (const [row, , after] of step) row.state = after;
  done.push(step);
  keep();
}
function keep() {
  const log = done.map((step) => step.map(([row, before, after]) => [row.name, before, after]));
  try {
    localStorage.setItem(KEY, JSON.stringify(log));
  } catch (error) {
    $("storage").textContent = "This browser does not keep decisions when the page is closed: save often.";
  }
}
function restore() {
  let log = [];
  try { log = JSON.parse(localStorage.getItem(KEY) || "[]"); } catch (error) { log = []; }
  for (const step of log) {
    const known = step.filter(([name]) => rowOf.has(name) || isPair(name.split("\t")));
    done.push(known.map(([name, before, after]) => {
      const row = rowOf.get(name) ?? chosen(...name.split("\t"));
      row.state = after;
      return [row, before, after];
    }));
  }
}
const isPair = ([source, target]) => entity(0, source) !== undefined && entity(1, target) !== undefined;
/* The row of a pair that is not in the file. */
function chosen(source, target) {
  const row = rowOf.get(name(source, target, "="));
  if (row) return row;
  const found = (DATA.likely[0][source] ?? []).find(([other]) => other === target) ?? (DATA.likely[1][target] ?? []).find(([other]) => other === source);
  return add([source, target, "="], { confidence: found?.[1] ?? NaN, evidence: "chosen here" });
}
const today = () => new Date().toLocaleDateString("sv");

/* --- the list --- */
let listed = [], selected, sorting = DATA.sorting, ascending = true;
const isUnmatched = () => $("what").value === "unmatched";
const number = (value) => (Number.isNaN(value) ? "" : value.toFixed(3));
/* A probability of .5 is the least sure one; of similarities it is the smallest. */
const sureness = (row) => (DATA.meaning === "probability" ? Math.abs(row.confidence - 0.5) : row.confidence);
const decision = (row) => row.state.verdict + (row.state.relation === row.stated.relation ? "" : " " + row.state.relation);
const values = {
  source: (row) => label(0, row.pair[0]).toLowerCase(), target: (row) => label(1, row.pair[1]).toLowerCase(),
  confidence: (row) => row.confidence, evidence: (row) => row.evidence,
  verdict: (row) => row.state.verdict, change: (row) => row.change, "least sure": sureness,
};
const SHOWN = {
  "all pairs": () => true,
  "new since last time": (row) => row.change.includes("new"),
  "several partners": (row) => row.pair.some((iri, side) => partners(side, iri).length > 1),
  "changed label": (row) => row.change.includes("changed label"),
  "changed terms": (row) => /replaced|gone|conflict/.test(row.change),
};
for (const what of [...Object.keys(SHOWN), "unmatched"]) $("what").append(el("option", what));

const sought = () => $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
function filtered() {
  const [state, kind, what] = ["state", "evidence", "what"].map((id) => $(id).value);
  const least = Number($("least").value), most = Number($("most").value), parts = sought(), isShown = SHOWN[what];
  const verdict = state === "open" ? "" : state;
  return rows.filter((row) => !isEmpty(row) && (!state || row.state.verdict === verdict) && (!kind || row.evidence === kind)
    && !(row.confidence < least) && !(row.confidence > most) && parts.every((word) => row.words.includes(word)) && isShown(row));
}
/* All entities that may have a partner, those with the likeliest one first; which have none now. */
const matchable = DATA.matchable.flatMap((iris, side) => iris.map((iri) => ({ side, iri, sure: DATA.likely[side][iri]?.[0][1] ?? 0 })))
  .sort((a, b) => b.sure - a.sure);
function unmatched() {
  const parts = sought();
  return matchable.filter(({ side, iri }) => !partners(side, iri).length && parts.every((word) => words(side, iri).includes(word)));
}
function list() {
  if (isUnmatched()) {
    listed = unmatched();
  } else {
    const value = values[sorting], sign = ascending ? 1 : -1;
    const compared = (a, b) => (typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0);
    listed = filtered().map((row) => [row, value(row)])
      .sort((a, b) => sign * compared(a[1], b[1]) || a[0].id - b[0].id).map(([row]) => row);
  }
}
function cellsOf(item) {
  if (item.pair === undefined) {
    const own = label(item.side, item.iri);
    const [first] = likely(item.side, item.iri);
    const best = first ? label(1 - item.side, first[0]) + " ?" : "no likely partner";
    return [...(item.side ? [best, "", own] : [own, "", best]), first ? number(first[1]) : "", "", "", ""];
  }
  return [label(0, item.pair[0]), item.state.relation, label(1, item.pair[1]), number(item.confidence), item.evidence, decision(item), item.change];
}
function draw() {
  const place = Math.max(0, listed.indexOf(selected));
  const start = Math.max(0, Math.min(place - MOST_LINES / 2, listed.length - MOST_LINES));
  const drawn = listed.slice(start, start + MOST_LINES);
  $("rows").replaceChildren(...drawn.map((item) => {
    const line = el("tr", ...cellsOf(item).map((text) => el("td", text)));
    if (item.pair) Object.assign(line.dataset, { verdict: item.state.verdict, change: item.change });
    if (item === selected) line.setAttribute("aria-current", "true");
    line.addEventListener("click", () => select(item));
    return line;
  }));
  const all = isUnmatched() ? listed.length + " entities without a partner" : listed.length + " of " + rows.filter((row) => !isEmpty(row)).length + " listed";
  $("listed").textContent = drawn.length < listed.length ? all + "; lines " + (start + 1) + " to " + (start + drawn.length) + " are drawn" : all;
  $("rows").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}
function select(item) {
  selected = item;
  draw();
  show();
}
function step(by) {
  const place = listed.indexOf(selected) + by;
  if (place >= 0 && place < listed.length) select(listed[place]);
}
const firstOpen = () => listed.find((item) => !item.pair || item.state.verdict === "") ?? listed[0];
/* After a decision the next open row below is selected; after undo the row itself. */
function goOn(item, isUndone) {
  const place = listed.indexOf(item);
  const below = listed.slice(place + 1);
  const next = isUndone ? item : below.find((other) => !other.pair || other.state.verdict === "") ?? below[0] ?? item;
  list();
  selected = listed.includes(next) ? next : listed[Math.max(0, Math.min(place, listed.length - 1))];
  draw();
  show();
}

/* --- the pair --- */
function described(side, iri) {
  const e = entity(side, iri);
  const box = shown(e);
  const copy = el("button", "Copy");
  copy.type = "button";
  copy.className = "copy";
  copy.addEventListener("click", () => copied(e.curie));
  box.querySelector("h3").after(el("p", el("code", e.curie), " ", copy));
  return box;
}
function candidates(item) {
  const other = 1 - item.side;
  const lines = likely(item.side, item.iri).map(([iri, p], k) => {
    const button = el("button", el("kbd", String(k + 1)), " " + label(other, iri) + " (" + entity(other, iri).curie + ") " + number(p));
    button.type = "button";
    button.addEventListener("click", () => acceptLikely(k));
    return el("li", button);
  });
  const rest = lines.length ? el("ol", ...lines) : "No likely partner.";
  return el("div", el("h3", "Likeliest partners"), rest);
}
function remark(row) {
  return row.pair.flatMap((iri, side) => accepted(side, iri).filter((other) => other !== row).map((other) =>
    "“" + label(side, iri) + "” has " + (row.state.verdict === "accepted" ? "a second accepted partner: “" : "an accepted partner: “") + label(1 - side, other.pair[1 - side]) + "”."));
}
function show() {
  const number_ = (verdict) => rows.filter((row) => row.state.verdict === verdict && !isEmpty(row)).length;
  const total = rows.filter((row) => !isEmpty(row) && !isGone(row)).length, gone = number_("gone"), decided = number_("accepted") + number_("rejected");
  $("bar").max = total;
  $("bar").value = decided;
  $("progress").textContent = decided + " of " + total + " decided: " + number_("accepted") + " accepted, " + number_("rejected") + " rejected; " + number_("marked") + " marked for later" + (gone ? "; " + gone + (gone === 1 ? " row" : " rows") + " of terms that are gone kept aside" : "");
  const none = selected === undefined;
  $("question").hidden = none;
  $("done").hidden = !none;
  for (const id of Object.keys(DECIDE)) $(id).disabled = none;
  for (const id of ["reject", "mark"]) $(id).disabled = none || !selected.pair;
  if (!none && selected.pair && isGone(selected)) for (const id of Object.keys(DECIDE)) $(id).disabled = id !== "other";
  $("undo").disabled = !done.length;
  if (none) return;
  if (selected.pair) {
    $("source").replaceChildren(described(0, selected.pair[0]));
    $("target").replaceChildren(described(1, selected.pair[1]));
    const said = [selected.evidence, RELATIONS[selected.state.relation]?.[1] ?? selected.state.relation, selected.state.verdict, selected.change, selected.comment];
    if (!Number.isNaN(selected.confidence)) said.unshift(DATA.meaning + " " + number(selected.confidence));
    $("several").textContent = [[...new Set(said.filter(Boolean))].join("; "), ...remark(selected)].join(". ");
  } else {
    const boxes = [described(selected.side, selected.iri), candidates(selected)];
    if (selected.side) boxes.reverse();
    $("source").replaceChildren(boxes[0]);
    $("target").replaceChildren(boxes[1]);
    $("several").textContent = "No partner; press a number, or p to look for one.";
  }
}

/* --- decisions --- */
function decide(verdict, relation) {
  if (selected === undefined) return;
  if (!selected.pair) {
    if (verdict === "accepted") acceptLikely(0, relation);
    return;
  }
  if (isGone(selected)) return;
  const item = selected;
  change([[item, { verdict, relation: relation ?? item.state.relation, date: verdict === "marked" ? "" : today() }]]);
  goOn(item);
}
function acceptLikely(k, relation) {
  if (selected === undefined || selected.pair) return;
  const found = likely(selected.side, selected.iri)[k];
  if (!found) return;
  const item = selected;
  accept(item.side, item.iri, found[0], [], relation);
  goOn(item);
}
/* Accept a pair of an entity and a partner; the rows before it are rejected. */
function accept(side, iri, partner, instead, relation = "=") {
  const pair = side ? [partner, iri] : [iri, partner];
  const row = chosen(...pair);
  const rejected = instead.filter((other) => other !== row).map((other) => [other, { ...other.state, verdict: "rejected", date: today() }]);
  change([[row, { verdict: "accepted", relation, date: today() }], ...rejected]);
  return row;
}
function undo() {
  if (!done.length) return;
  const step = done.pop();
  for (const [row, before] of step) row.state = before;
  keep();
  goOn(isUnmatched() ? selected : step.at(-1)[0], true);
}

/* --- another partner --- */
let search = null;
function openPartner(e) {
  if (selected === undefined) return;
  let side = selected.pair ? (e?.shiftKey ? 1 : 0) : selected.side;
  /* Of a term that is gone nobody looks for a partner: of the other one of its row. */
  if (selected.pair && isGone(selected)) side = selected.pair.findIndex((iri, k) => entity(k, iri).kind);
  if (side < 0) return;
  const iri = selected.pair ? selected.pair[side] : selected.iri;
  search = { side, iri, found: [], place: 0 };
  $("partner-of").textContent = "Partner of “" + label(side, iri) + "”";
  $("partner-name").value = "";
  $("partner").hidden = false;
  $("partner-name").focus();
  find();
}
function closePartner() {
  search = null;
  $("partner").hidden = true;
  $("partner-name").blur();
}
function find() {
  const other = 1 - search.side, all = DATA[SIDES[other]], kind = entity(search.side, search.iri).kind;
  const text = $("partner-name").value.toLowerCase().trim(), parts = text.split(/\s+/);
  const found = [];
  if (!text) {
    for (const [iri] of likely(search.side, search.iri)) found.push([0, iri]);
  } else {
    for (const iri in all) {
      const e = all[iri], own = e.label.toLowerCase();
      if ((kind && e.kind !== kind) || !parts.every((word) => words(other, iri).includes(word))) continue;
      found.push([own === text ? 0 : e.curie.toLowerCase() === text ? 1 : own.startsWith(text) ? 2 : own.includes(text) ? 3 : 4, iri]);
    }
    found.sort((a, b) => a[0] - b[0] || all[a[1]].label.length - all[b[1]].label.length);
  }
  search.found = found.slice(0, MOST_FOUND).map(([, iri]) => iri);
  search.place = 0;
  drawFound();
}
function drawFound() {
  const other = 1 - search.side;
  $("partners").replaceChildren(...search.found.map((iri, k) => {
    const line = el("li", label(other, iri) + " (" + entity(other, iri).curie + ")");
    if (k === search.place) line.setAttribute("aria-current", "true");
    line.addEventListener("click", () => choose(k));
    return line;
  }));
}
/* The chosen partner is accepted; an open or marked row of the list is rejected, others stay. */
function choose(k) {
  const iri = search.found[k];
  if (iri === undefined) return;
  const item = selected;
  const instead = item.pair && item.state.verdict !== "accepted" && !isGone(item) ? [item] : [];
  accept(search.side, search.iri, iri, instead);
  closePartner();
  goOn(item);
}
$("partner-name").addEventListener("input", find);
$("partner-name").addEventListener("keydown", (e) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (by) {
    search.place = Math.max(0, Math.min(search.place + by, search.found.length - 1));
    drawFound();
  } else if (e.key === "Enter") choose(search.place);
  else if (e.key === "Escape") closePartner();
  else return;
  e.preventDefault();
});

/* --- copy, save --- */
function copied(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  $("saved").textContent = "Copied: " + text;
}
function copyBoth() {
  if (selected === undefined) return;
  const pair = selected.pair ? selected.pair.map((iri, side) => entity(side, iri).curie) : [entity(selected.side, selected.iri).curie];
  copied(pair.join("\t"));
}
const MARK = "marked";
const unmarked = (comment) => comment.split("; ").filter((part) => part && part !== MARK).join("; ");
const isDecided = (verdict) => verdict === "accepted" || verdict === "rejected";
/* SSSOM has no agreement without a reviewer. */
const reviewer = () => cell($("reviewer").value) || "unnamed reviewer";
/* A text as a cell of the file: on one line, quoted where it must be. The cells of `DATA` are. */
function cell(text) {
  const line = text.trim().replace(/\s+/g, " ");
  return line.includes('"') ? '"' + line.replaceAll('"', '""') + '"' : line;
}
/* The cells that a decision writes. */
function written(row) {
  const { verdict, relation, date } = row.state;
  const comment = unmarked(row.comment);
  const cells = {
    mapping_justification: "semapv:UnspecifiedMatching", predicate_modifier: "", mapping_date: date,
    reviewer_label: "", review_date: "", reviewer_agreement: "", comment: cell(verdict === MARK ? [comment, MARK].filter(Boolean).join("; ") : comment),
  };
  if (isDecided(verdict)) Object.assign(cells, { mapping_justification: CURATED, reviewer_label: reviewer(), review_date: date });
  else if (!isDecided(row.stated.verdict)) delete cells.mapping_justification;
  if (verdict === "accepted") cells.reviewer_agreement = "1.0";
  if (verdict === "rejected") cells.predicate_modifier = "Not";
  if (relation !== row.stated.relation) Object.assign(cells, { predicate_id: RELATIONS[relation][0], alignment_relation: "" });
  return cells;
}
const cellsBy = (texts) => Object.fromEntries(DATA.columns.map((column, k) => [column, texts[k]]));
function fileText() {
  const lines = rows.filter((row) => !isEmpty(row)).map((row) => {
    const [source, target] = row.pair;
    const plain = row.cells ? cellsBy(row.cells) : {
      subject_id: entity(0, source).curie, subject_label: cell(label(0, source)), predicate_id: RELATIONS[row.state.relation][0],
      object_id: entity(1, target).curie, object_label: cell(label(1, target)), confidence: Number.isNaN(row.confidence) ? "" : String(row.confidence),
    };
    const cells = row.state === row.stated ? plain : { ...plain, ...written(row) };
    return DATA.columns.map((column) => cells[column] ?? "").join("\t");
  });
  const unlisted = DATA.unlisted.map((texts) => texts.join("\t"));
  return DATA.header + [DATA.columns.join("\t"), ...lines, ...unlisted].join("\n") + "\n";
}

/* --- keys --- */
const DECIDE = {
  accept: () => decide("accepted"), equal: () => decide("accepted", "="), narrower: () => decide("accepted", "<"),
  broader: () => decide("accepted", ">"), close: () => decide("accepted", "~"), reject: () => decide("rejected"),
  mark: () => decide(MARK), other: openPartner,
};
const ACTIONS = { ...DECIDE, undo, save: () => download(fileText()) };
for (const [key, [id]] of Object.entries(DATA.keys)) {
  pressed[key] = ACTIONS[id];
  $(id).addEventListener("click", ACTIONS[id]);
}
$("reviewer").addEventListener("input", () => {
  try { localStorage.setItem("alignrank reviewer", $("reviewer").value); } catch (error) { /* typed again next time */ }
});
$("reviewer").addEventListener("keydown", (e) => {
  if (e.key === "Enter" || e.key === "Escape") $("reviewer").blur();
});
function refreshed() {
  list();
  if (!listed.includes(selected)) selected = firstOpen();
  draw();
  show();
}
function toggleUnmatched() {
  $("what").value = isUnmatched() ? "all pairs" : "unmatched";
  selected = undefined;
  refreshed();
}
Object.assign(pressed, {
  j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
  "/": () => $("search").focus(), x: toggleUnmatched, y: copyBoth,
  1: () => acceptLikely(0), 2: () => acceptLikely(1), 3: () => acceptLikely(2),
});
for (const id of ["what", "search", "least", "most", "evidence", "state"]) $(id).addEventListener("input", refreshed);
/* After a choice in a filter, or Enter, the keys decide the row again. */
for (const id of ["what", "evidence", "state"]) {
  let isChosen = false;
  $(id).addEventListener("focus", () => (isChosen = false));
  $(id).addEventListener("change", () => (isChosen = true));
  $(id).addEventListener("keydown", (e) => {
    if (["Enter", "Escape"].includes(e.key) || (isChosen && e.key.length === 1 && e.key in pressed)) $(id).blur();
  });
}
$("search").addEventListener("keydown", (e) => {
  if (e.key === "Enter" || e.key === "Escape") $("search").blur();
});
for (const button of document.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    ascending = sorting === button.dataset.sort ? !ascending : true;
    sorting = button.dataset.sort;
    list();
    draw();
  });
}
function start() {
  $("title").textContent = DATA.title;
  const made = new Date(document.lastModified).toLocaleDateString("sv");
  $("about").textContent = [...DATA.about, "page of " + made].join(" · ");
  DATA.files.forEach((file, side) => ($("file" + (side + 1)).textContent = file));
  for (const place of document.querySelectorAll(".meaning")) place.textContent = DATA.meaning[0].toUpperCase() + DATA.meaning.slice(1);
  for (const row of DATA.rows) add(row.pair, row);
  for (const kind of [...new Set(rows.map((row) => row.evidence))].sort()) $("evidence").append(el("option", kind));
  try { $("reviewer").value = localStorage.getItem("alignrank reviewer") ?? ""; } catch (error) { /* no storage */ }
  restore();
  list();
  selected = firstOpen();
  draw();
  show();
  document.body.dataset.ready = "yes";
  /* What is sought in is made before anybody types. */
  setTimeout(() => SIDES.forEach((name, side) => Object.keys(DATA[name]).forEach((iri) => words(side, iri))), 0);
}
