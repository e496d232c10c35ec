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
const short = (text, most = 26) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

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

/* What is folded is shown on paper, and folded again afterwards. */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  for (const part of unfolded) part.open = true;
});
addEventListener("afterprint", () => { for (const part of unfolded) part.open = false; });
