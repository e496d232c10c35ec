
/* The list of a mapping. The selected row is the one that the keys decide. */
const MOST_ROWS = 500;
let rows = [], selected, sorting = DATA.sorting, ascending = true;
const values = {
  source: (row) => DATA.sources[DATA.pairs[row][0]].label,
  target: (row) => DATA.targets[DATA.pairs[row][1]].label,
  confidence: (row) => DATA.confidences[row],
  evidence: (row) => DATA.evidence[row],
  verdict: (row) => verdicts[row],
};
for (const kind of [...new Set(DATA.evidence)].sort()) $("evidence").append(el("option", kind));

function isListed(row) {
  const words = $("search").value.toLowerCase().split(/\s+/);
  const names = [...DATA.pairs[row].slice(0, 2), values.source(row), values.target(row)].join("\n").toLowerCase();
  const confidence = DATA.confidences[row], state = $("state").value;
  return words.every((word) => names.includes(word))
    && confidence >= Number($("least").value) && confidence <= Number($("most").value)
    && (!$("evidence").value || DATA.evidence[row] === $("evidence").value)
    && (!state || (state === "open" ? verdicts[row] === "" : verdicts[row] === state));
}
function list() {
  const value = values[sorting], sign = ascending ? 1 : -1;
  const compared = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
  rows = ASKED.filter(isListed).sort((a, b) => sign * compared(value(a), value(b)) || a - b);
  draw();
}
function draw() {
  const place = Math.max(0, rows.indexOf(selected));
  const start = Math.max(0, Math.min(place - MOST_ROWS / 2, rows.length - MOST_ROWS));
  const drawn = rows.slice(start, start + MOST_ROWS);
  $("rows").replaceChildren(...drawn.map((row) => {
    const cells = [values.source(row), DATA.pairs[row][2], values.target(row),
      DATA.confidences[row].toFixed(3), DATA.evidence[row], verdicts[row]];
    const line = el("tr", ...cells.map((text) => el("td", text)));
    line.dataset.verdict = verdicts[row];
    line.dataset.evidence = DATA.evidence[row];
    if (row === selected) line.setAttribute("aria-current", "true");
    line.addEventListener("click", () => select(row));
    return line;
  }));
  const all = rows.length + " of " + ASKED.length + " listed";
  $("listed").textContent = drawn.length < rows.length ? all + "; rows " + (start + 1) + " to " + (start + drawn.length) + " are drawn" : all;
  $("rows").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}
function select(row) {
  selected = row;
  draw();
  show();
}
function step(by) {
  const place = rows.indexOf(selected) + by;
  if (place >= 0 && place < rows.length) select(rows[place]);
}

mode.current = () => selected;
mode.total = () => ASKED.length;
mode.done = () => ASKED.filter((row) => ["accepted", "rejected"].includes(verdicts[row])).length;
mode.progress = (done, total) => {
  const number = (verdict) => ASKED.filter((row) => verdicts[row] === verdict).length;
  return done + " of " + total + " decided: " + number("accepted") + " accepted, " + number("rejected") + " rejected; " + number("marked") + " marked for later";
};
mode.note = (row) => {
  const said = verdicts[row] ? "; " + verdicts[row] : "";
  return "Confidence " + DATA.confidences[row].toFixed(3) + "; " + DATA.evidence[row] + said;
};
/* At the start and after a decision the next open row below is selected; after undo the row itself. */
mode.next = (row, isUndone) => {
  if (row === undefined) list();
  const place = rows.indexOf(row);
  const below = rows.slice(place + 1).find((other) => verdicts[other] === "");
  selected = isUndone ? row : below ?? rows[place + 1] ?? row;
  list();
};
for (const id of ["search", "least", "most", "evidence", "state"]) {
  $(id).addEventListener("input", () => {
    list();
    if (!rows.includes(selected)) selected = rows[0];
    draw();
    show();
  });
}
/* After a choice in a filter, or Enter, the keys decide the row again. */
for (const id of ["evidence", "state"]) {
  let isChosen = false;
  $(id).addEventListener("focus", () => (isChosen = false));
  $(id).addEventListener("change", () => (isChosen = true));
  $(id).addEventListener("keydown", (e) => {
    if (["Enter", "Escape"].includes(e.key) || (isChosen && e.key.length === 1 && e.key in pressed)) $(id).blur();
  });
}
$("done").textContent = "No row fits the filters.";
for (const button of document.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    ascending = sorting === button.dataset.sort ? !ascending : true;
    sorting = button.dataset.sort;
    list();
  });
}
Object.assign(pressed, {
  j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
  "/": () => $("search").focus(),
});
$("search").addEventListener("keydown", (e) => {
  if (e.key === "Enter" || e.key === "Escape") $("search").blur();
});
