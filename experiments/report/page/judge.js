
/* Questions, one after another. judge.html?NAME keeps the answers of another judge apart. */
const KEY = "alignrank judge " + DATA.draw + location.search;
/* The rows in the order in which they are asked. */
const ASKED = DATA.questions.flat();
const questionOf = new Map(DATA.questions.flatMap((rows, k) => rows.map((row) => [row, k])));
const verdicts = [...DATA.verdicts];
/* The rows that were answered here and their verdicts before, the last one last, for undo. */
let answered = [];

/* Answers are kept in the browser after each one. */
const nameOf = (row) => DATA.pairs[row].join("\t");
function keep() {
  const rows = [...new Set(answered.map(([row]) => row))];
  try {
    localStorage.setItem(KEY, JSON.stringify(rows.map((row) => [nameOf(row), verdicts[row]])));
  } catch (error) {
    $("storage").textContent = "This browser does not keep answers when the page is closed: save often.";
  }
}
function restore() {
  let kept = [];
  try { kept = JSON.parse(localStorage.getItem(KEY) || "[]"); } catch (error) { kept = []; }
  const rowOf = new Map(DATA.pairs.map((pair, row) => [nameOf(row), row]));
  for (const [name, verdict] of kept) {
    const row = rowOf.get(name);
    if (row === undefined || !(verdict in DATA.cells)) continue;
    answered.push([row, verdicts[row]]);
    verdicts[row] = verdict;
  }
}

/* How the page chooses the pair that is shown, and what it says of it. */
const mode = {
  current: () => ASKED.find((row) => verdicts[row] === ""),
  done: () => DATA.questions.filter((rows) => rows.every((row) => verdicts[row] !== "")).length,
  total: () => DATA.questions.length,
  progress: (done, total) => done + " of " + total + " questions answered",
  note: (row) => {
    const rows = DATA.questions[questionOf.get(row)];
    const label = DATA.sources[DATA.pairs[row][0]].label;
    return rows.length > 1 ? "Candidate " + (rows.indexOf(row) + 1) + " of " + rows.length + " for “" + label + "”" : "";
  },
  next: () => {},
  /* Of questions: when the next verdict comes, and what stands where all are answered. */
  verdict: () => "",
  finished: () => $("done").textContent,
};

function show() {
  const row = mode.current(), done = row === undefined;
  $("bar").max = mode.total();
  $("bar").value = mode.done();
  $("progress").textContent = mode.progress(mode.done(), mode.total());
  $("verdict").textContent = mode.verdict();
  $("verdict").hidden = !$("verdict").textContent;
  $("question").hidden = done;
  $("done").hidden = !done;
  $("done").textContent = mode.finished();
  for (const [id, verdict] of Object.values(DATA.keys)) if (verdict !== null) $(id).disabled = done;
  $("undo").disabled = !answered.length;
  if (done) return;
  const [source, target] = DATA.pairs[row];
  $("source").replaceChildren(shown(DATA.sources[source]));
  $("target").replaceChildren(shown(DATA.targets[target]));
  $("several").textContent = mode.note(row);
}

function answer(verdict) {
  const row = mode.current();
  if (row === undefined) return;
  answered.push([row, verdicts[row]]);
  verdicts[row] = verdict;
  keep();
  mode.next(row);
  show();
}
function undo() {
  if (!answered.length) return;
  const [row, before] = answered.pop();
  verdicts[row] = before;
  keep();
  mode.next(row, true);
  show();
}
function fileText() {
  const lines = DATA.rows.map((cells, row) => {
    const own = DATA.cells[verdicts[row]];
    return cells.map((text, k) => own[DATA.columns[k]] ?? text).join("\t");
  });
  return DATA.header + [DATA.columns.join("\t"), ...lines].join("\n") + "\n";
}
const save = () => download(fileText());

const ACTIONS = { undo, save };
for (const [key, [id, verdict]] of Object.entries(DATA.keys)) {
  pressed[key] = verdict === null ? ACTIONS[id] : () => answer(verdict);
  $(id).addEventListener("click", pressed[key]);
}
function start() {
  restore();
  mode.next();
  show();
  document.body.dataset.ready = "yes";
}
