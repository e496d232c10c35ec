
/* Verdicts come after fixed numbers of answers, counted up to the first open question. */
const AFTER = DATA.verdictsAfter, QUESTIONS = AFTER[AFTER.length - 1];
const isOpen = (rows) => rows.some((row) => verdicts[row] === "");
mode.verdict = () => {
  const open = DATA.questions.findIndex(isOpen), answers = open < 0 ? QUESTIONS : open;
  const named = (number) => (number === QUESTIONS ? "all " : "") + number.toLocaleString("en");
  const reached = AFTER.filter((number) => number <= answers).pop();
  const next = AFTER.find((number) => number > answers), more = next - answers;
  if (next === undefined) return "";
  if (reached === undefined) return `First verdict after ${named(next)} answers: ${more.toLocaleString("en")} more.`;
  if (reached === answers) return `A verdict is ready, after ${named(reached)} answers: save the file. The next comes after ${named(next)}.`;
  return `Verdict after ${named(reached)} answers; the next after ${named(next)}: ${more.toLocaleString("en")} more.`;
};
mode.finished = () => (verdicts.includes("cannot tell")
  ? "All questions are answered, some with cannot tell: F1 in the pool has a range. Save the file."
  : "All questions are answered: F1 in the pool is exact. Save the file.");
