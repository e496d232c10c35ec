"use strict";
/* One page, no library, no network. All text enters the page as text, never as markup. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
/* Three decimals; what lies just between two is rounded to the even one, as Python does. */
function decimals(x) {
  const isBetween = Math.abs(x * 16) % 2 === 1, thousandths = Math.floor(Math.abs(x) * 1000);
  return (isBetween && thousandths % 2 === 0 ? Math.sign(x) * thousandths / 1000 : x).toFixed(3);
}
const short = (text, most = 26) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
/* By system, its name without the middle: as many characters as tell all names apart. */
function shortNames(names, most) {
  for (; ; most++) {
    const cut = (s) => (s.length > most ? `${s.slice(0, most >> 1)}…${s.slice(-((most - 1) >> 1))}` : s);
    const shown = new Map(names.map((s) => [s, cut(s)]));
    if (new Set(shown.values()).size === shown.size) return shown;
  }
}
const SHOWN = shortNames(DATA.systems || [], 26);

/* What a thing says when it is pointed at, reached with the Tab key, or touched. */
function tells(node, text) {
  const box = $("readout");
  const show = (x, y) => {
    box.textContent = text();
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = Math.max(8, Math.min(x + 14, innerWidth - width - 8)) + "px";
    box.style.top = (y + 22 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18) + "px";
  };
  node.addEventListener("pointerenter", (e) => show(e.clientX, e.clientY));
  node.addEventListener("pointermove", (e) => show(e.clientX, e.clientY));
  node.addEventListener("pointerleave", () => (box.hidden = true));
  node.addEventListener("focus", () => {
    const at = node.getBoundingClientRect();
    show(at.left + at.width / 2, at.top + at.height / 2);
  });
  node.addEventListener("blur", () => (box.hidden = true));
}
document.addEventListener("keydown", (e) => { if (e.key === "Escape" && $("readout")) $("readout").hidden = true; });

/* One Tab stop for many things, in rows: from one to the next lead the arrow keys. */
function oneStop(box, rows) {
  const all = rows.flat().filter(Boolean);
  all.forEach((node, k) => node.setAttribute("tabindex", k ? -1 : 0));
  box.addEventListener("keydown", (e) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[e.key];
    const from = document.activeElement;
    let r = rows.findIndex((row) => row.includes(from)), c = r < 0 ? -1 : rows[r].indexOf(from);
    if (!step || c < 0) return;
    e.preventDefault();
    const [down, right] = rows.length > 1 ? step : [0, step[0] + step[1]];
    do { r += down; c += right; } while (rows[r] && rows[r][c] === null);
    const next = rows[r] && rows[r][c];
    if (!next) return;
    from.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  });
}

/* Cautions are unfolded on paper, and folded again afterwards. */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details.cautions:not([open])")];
  for (const part of unfolded) part.open = true;
});
addEventListener("afterprint", () => { for (const part of unfolded) part.open = false; });
