"use strict";
/* One page, no library, no network. All text enters the page as text, never as markup. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

function el(name, ...children) {
  const node = document.createElement(name);
  node.append(...children);
  return node;
}

function shown(entity) {
  const box = el("div", el("h3", entity.label));
  const list = el("dl");
  const parts = [["synonyms", "also called"], ["definitions", "defined as"], ["parents", "a kind of"],
    ["wholes", "part of"], ["children", "kinds of it"], ["parts", "its parts"],
    ["domains", "domain"], ["ranges", "range"]];
  for (const [name, title] of parts) {
    if (entity[name]?.length) list.append(el("dt", title), el("dd", entity[name].join(" · ")));
  }
  box.append(list);
  return box;
}

/* Give the file to the browser, which saves it among its downloads. */
function download(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
  link.download = DATA.name;
  link.click();
  $("saved").textContent = DATA.saved;
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* What each key does. */
const pressed = {};
document.addEventListener("keydown", (e) => {
  const action = pressed[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  if (!action || e.ctrlKey || e.metaKey || e.altKey || e.repeat || document.activeElement?.matches("input, select")) return;
  e.preventDefault();
  action(e);
});
