"use strict";
/* One page, no library, no network. All text enters the page as text, never as markup. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
/* judge.html?NAME keeps the answers of another judge apart. */
const KEY = "alignrank judge " + DATA.draw + location.search;
/* The rows in the order in which they are asked. */
const ASKED = DATA.questions.flat();
const questionOf = new Map(DATA.questions.flatMap((rows, k) => rows.map((row) => [row, k])));
const verdicts = [...DATA.verdicts];
/* The rows that were answered here, the last one last: undo takes them back. */
let answered = [];

function el(name, ...children) {
  const node = document.createElement(name);
  node.append(...children);
  return node;
}

/* Answers are kept in the browser after each one. */
function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(answered.map((row) => [...DATA.pairs[row], verdicts[row]])));
  } catch (error) {
    $("storage").textContent = "This browser does not keep answers when the page is closed: save often.";
  }
}
function restore() {
  let kept = [];
  try { kept = JSON.parse(localStorage.getItem(KEY) || "[]"); } catch (error) { kept = []; }
  const rowOf = new Map(DATA.pairs.map((pair, row) => [pair.join("\t"), row]));
  for (const [source, target, verdict] of kept) {
    const row = rowOf.get(source + "\t" + target);
    if (row === undefined || !(verdict in DATA.cells)) continue;
    verdicts[row] = verdict;
    answered.push(row);
  }
}

const current = () => ASKED.find((row) => verdicts[row] === "");

function shown(entity) {
  const box = el("div", el("h3", entity.label));
  const list = el("dl");
  const parts = [["synonyms", "also called"], ["definitions", "defined as"], ["parents", "a kind of"], ["children", "kinds of it"]];
  for (const [name, title] of parts) {
    if (entity[name]?.length) list.append(el("dt", title), el("dd", entity[name].join(" · ")));
  }
  box.append(list);
  return box;
}

function show() {
  const row = current(), done = row === undefined;
  const complete = DATA.questions.filter((rows) => rows.every((k) => verdicts[k] !== "")).length;
  $("progress").textContent = complete + " of " + DATA.questions.length + " questions answered";
  $("bar").max = DATA.questions.length;
  $("bar").value = complete;
  $("question").hidden = done;
  $("done").hidden = !done;
  for (const id of ["right", "wrong", "unsure"]) $(id).disabled = done;
  $("undo").disabled = !answered.length;
  if (done) return;
  const [source, target] = DATA.pairs[row];
  $("source").replaceChildren(shown(DATA.sources[source]));
  $("target").replaceChildren(shown(DATA.targets[target]));
  const rows = DATA.questions[questionOf.get(row)];
  const place = rows.indexOf(row) + 1;
  $("several").textContent = rows.length > 1 ? "Candidate " + place + " of " + rows.length + " for “" + DATA.sources[source].label + "”" : "";
}

function answer(verdict) {
  const row = current();
  if (row === undefined) return;
  verdicts[row] = verdict;
  answered.push(row);
  keep();
  show();
}
function undo() {
  const row = answered.pop();
  if (row === undefined) return;
  verdicts[row] = "";
  keep();
  show();
}
function fileText() {
  const lines = DATA.rows.map((cells, row) => {
    const own = DATA.cells[verdicts[row]];
    return cells.map((text, k) => own[DATA.columns[k]] ?? text).join("\t");
  });
  return DATA.header + [DATA.columns.join("\t"), ...lines].join("\n") + "\n";
}
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([fileText()], { type: "text/tab-separated-values" }));
  link.download = "questions.sssom.tsv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const ACTIONS = {
  r: () => answer("right"), w: () => answer("wrong"), c: () => answer("cannot tell"), u: undo, s: save,
};
for (const [id, key] of [["right", "r"], ["wrong", "w"], ["unsure", "c"], ["undo", "u"], ["save", "s"]]) {
  $(id).addEventListener("click", ACTIONS[key]);
}
document.addEventListener("keydown", (e) => {
  const action = ACTIONS[e.key.toLowerCase()];
  if (!action || e.ctrlKey || e.metaKey || e.altKey || e.repeat) return;
  e.preventDefault();
  action();
});
restore();
show();
document.body.dataset.ready = "yes";
