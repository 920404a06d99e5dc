"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const el = (id) => document.getElementById(id);
const FIRST = 36;     // boxes that are unfolded at the start
const STEP = 8;       // children that one unfolding shows
const LAYERED = 400;  // above this many boxes the layered layout is too slow, and a plain tree does

// -- the graph: children in order, the parent by which a node is first reached -----------------
const nodes = new Map(data.nodes.map((node) => [node.id, node]));
const out = new Map(data.nodes.map((node) => [node.id, []]));
const into = new Map(data.nodes.map((node) => [node.id, []]));
data.edges.forEach((edge, number) => {
  edge.id = "e" + number;
  out.get(edge.source).push(edge);
  into.get(edge.target).push(edge);
});
const rank = (node) => (node.mark === "culprit" ? 0 : node.holds ? 1 : 2);
for (const edges of out.values()) edges.sort((a, b) => rank(nodes.get(a.target)) - rank(nodes.get(b.target)));
const root = (data.nodes.find((node) => node.root) || data.nodes[0] || {}).id;
const parent = new Map();
const order = [];
{
  const waiting = data.nodes.length ? [root] : [];
  parent.set(root, null);
  for (let place = 0; place < waiting.length; place++) {
    order.push(waiting[place]);
    for (const edge of out.get(waiting[place])) {
      if (!parent.has(edge.target)) { parent.set(edge.target, waiting[place]); waiting.push(edge.target); }
    }
  }
  for (const node of data.nodes) if (!parent.has(node.id)) { parent.set(node.id, null); order.push(node.id); }
}

// -- what is shown: unfolded nodes, hidden marks and types ----------------------------------------
const unfolded = new Map();   // node -> how many of its children are shown
const off = { mark: new Set(), type: new Set() };
const look = (node) => (node.holds && node.mark === "copied" ? "holds" : node.mark);
const hidden = (node) => node.id !== root && (off.mark.has(look(node)) || off.type.has(node.type));

function visible() {
  const shown = new Set();
  if (root === undefined) return shown;
  const waiting = [root];
  shown.add(root);
  for (const id of order) if (parent.get(id) === null && id !== root && !hidden(nodes.get(id))) { shown.add(id); waiting.push(id); }
  for (let place = 0; place < waiting.length; place++) {
    let room = unfolded.get(waiting[place]) || 0;
    for (const edge of out.get(waiting[place])) {
      if (room <= 0) break;
      const child = nodes.get(edge.target);
      if (hidden(child)) continue;
      room -= 1;
      if (!shown.has(child.id)) { shown.add(child.id); waiting.push(child.id); }
    }
  }
  return shown;
}

function foldToStart() {
  unfolded.clear();
  let count = 1;
  for (const id of order) {
    const below = new Set(out.get(id).map((edge) => edge.target)).size;
    if (!below) continue;
    if (count + Math.min(below, STEP) > FIRST && count > 1) break;
    unfolded.set(id, STEP);
    count += Math.min(below, STEP);
  }
  for (const node of data.nodes) if (node.mark === "culprit") { if (count++ > 4 * FIRST) break; reveal(node.id); }
}

function reveal(id) {
  for (let child = id, up = parent.get(id); up !== null && up !== undefined; child = up, up = parent.get(up)) {
    const place = out.get(up).findIndex((edge) => edge.target === child);
    unfolded.set(up, Math.max(unfolded.get(up) || 0, place + 1));
  }
}

// -- drawing --------------------------------------------------------------------------------------
const dark = () => document.documentElement.dataset.theme === "dark";
const SHAPES = { copied: "round-rectangle", holds: "round-rectangle", shared: "ellipse", pruned: "rectangle", replaced: "hexagon", rebuilt: "cut-rectangle", culprit: "octagon", fold: "round-tag" };
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function styles() {
  const rules = [
    { selector: "node", style: { label: "data(label)", "text-wrap": "wrap", "text-valign": "center", "font-size": 12, "font-family": "system-ui, Arial, sans-serif", color: "#18181b", width: "data(width)", height: "data(height)", "border-width": 1.4, "text-max-width": 260 } },
    { selector: "edge", style: { "curve-style": data.nodes.length > 800 ? "straight" : "bezier", "target-arrow-shape": "triangle", "arrow-scale": 0.8, width: 1.1, "line-color": css("--edge"), "target-arrow-color": css("--edge"), label: "data(label)", "font-size": 10, color: css("--text"), "text-background-color": css("--back"), "text-background-opacity": 0.9, "text-background-padding": 2, "min-zoomed-font-size": 6 } },
    { selector: "edge[?weak]", style: { "line-style": "dashed" } },
    { selector: "edge[kind = 'between']", style: { "line-color": css("--bad"), "target-arrow-shape": "none", width: 2, "line-style": "dashed", color: css("--bad") } },
    { selector: "node.more", style: { "background-color": css("--panel"), "border-style": "dashed", "border-color": css("--quiet"), color: css("--quiet"), shape: "round-rectangle" } },
  ];
  for (const style of data.styles) {
    rules.push({ selector: `node[mark = '${style.mark}']`, style: { "background-color": style.fill, "border-color": style.line, shape: SHAPES[style.mark] || "rectangle" } });
  }
  rules.push({ selector: "node[mark = 'culprit']", style: { "border-width": 3 } });
  rules.push({ selector: "node[mark = 'pruned']", style: { "border-style": "dashed" } });
  rules.push({ selector: "node:selected", style: { "border-width": 4, "border-color": css("--accent") } });
  rules.push({ selector: "node.match", style: { "underlay-color": "#facc15", "underlay-opacity": 0.55, "underlay-padding": 6 } });
  return rules;
}

const cy = cytoscape({ container: el("graph"), elements: [], style: styles(), minZoom: 0.03, maxZoom: 4, boxSelectionEnabled: false, textureOnViewport: data.nodes.length > 800 });

function box(node, more) {
  const lines = [(node.sign ? node.sign + " " : "") + node.type];
  if (node.value) lines.push(node.value);
  if (more) lines.push("+" + more.toLocaleString("en") + " below");
  const longest = Math.max(...lines.map((line) => line.length));
  const wide = { octagon: 1.25, ellipse: 1.25, hexagon: 1.3 }[SHAPES[look(node)]] || 1;
  return { id: node.id, label: lines.join("\n"), mark: look(node), width: Math.min(270, Math.max(46, longest * 6.7 + 18)) * wide, height: 14 * lines.length + 12 };
}

let selected = null;
function draw(keep) {
  const shown = visible();
  const tree = shown.size > LAYERED ? columns(shown) : null;
  const elements = [];
  for (const id of shown) {
    const children = new Set(out.get(id).map((edge) => edge.target).filter((child) => !hidden(nodes.get(child))));
    let rest = 0;
    for (const child of children) if (!shown.has(child)) rest += 1;
    elements.push({ group: "nodes", data: box(nodes.get(id), rest), position: tree ? tree.get(id) : positions.get(id) });
  }
  for (const edge of data.edges) {
    if (shown.has(edge.source) && shown.has(edge.target)) elements.push({ group: "edges", data: edge });
  }
  const pan = cy.pan(), zoom = cy.zoom();
  cy.batch(() => { cy.elements().remove(); cy.add(elements); });
  const count = shown.size;
  if (count <= LAYERED) {
    cy.layout({ name: "dagre", rankDir: "LR", nodeSep: 12, rankSep: 90, edgeSep: 8, animate: false, fit: false }).run();
  }
  cy.nodes().forEach((node) => { positions.set(node.id(), { ...node.position() }); });
  if (keep) { cy.zoom(zoom); cy.pan(pan); } else { home(); }
  el("graph").dataset.boxes = count;
  if (selected && cy.$id(selected).length) cy.$id(selected).select();
  markMatches();
}
const positions = new Map();

/** A tree by the parents, from left to right: the place of a box is the middle of its children. */
function columns(shown) {
  const below = new Map(), depth = new Map(), places = new Map();
  const listed = order.filter((id) => shown.has(id));
  for (const id of listed) {
    const up = parent.get(id);
    depth.set(id, up === null || !shown.has(up) ? 0 : depth.get(up) + 1);
    if (up !== null && shown.has(up)) { if (!below.has(up)) below.set(up, []); below.get(up).push(id); }
  }
  let row = 0;
  const waiting = listed.filter((id) => depth.get(id) === 0).reverse().map((id) => [id, false]);
  while (waiting.length) {
    const [id, done] = waiting.pop();
    const children = below.get(id) || [];
    if (!done && children.length) {
      waiting.push([id, true]);
      for (let place = children.length - 1; place >= 0; place--) waiting.push([children[place], false]);
      continue;
    }
    const y = children.length ? (places.get(children[0]).y + places.get(children[children.length - 1]).y) / 2 : 46 * row++;
    places.set(id, { x: 330 * depth.get(id), y });
  }
  return places;
}

/** At the start: all of it where it can be read, else the root with what is near it. */
function home() {
  fit();
  const start = cy.$id(root);
  if (cy.zoom() >= 0.6 || !start.length) return;
  cy.zoom(0.8);
  const at = start.position();
  cy.pan({ x: 90 - at.x * 0.8, y: cy.height() / 2 - at.y * 0.8 });
}

function fit() {
  cy.fit(undefined, 30);
  if (cy.zoom() > 1.3) { cy.zoom(1.3); cy.center(); }
}

function into_view(id) {
  const node = cy.$id(id);
  if (!node.length) return;
  if (cy.zoom() < 0.5) cy.zoom(0.9);
  cy.center(node);
}

// -- choosing a node --------------------------------------------------------------------------------
const make = (tag, text, name) => { const made = document.createElement(tag); if (text !== undefined) made.textContent = text; if (name) made.className = name; return made; };

function choose(id, center) {
  selected = id;
  cy.elements().unselect();
  const panel = el("details");
  panel.replaceChildren();
  if (id === null) return;
  const node = nodes.get(id);
  cy.$id(id).select();
  if (center) into_view(id);
  const list = make("dl");
  const row = (name, value, look) => { if (!value) return null; list.append(make("dt", name)); const dd = make("dd", undefined, look); list.append(dd); dd.append(value); return dd; };
  const copyable = (name, text) => {
    const dd = row(name, make("code", text), name === "advice" ? "advice" : undefined);
    if (!dd) return;
    const button = make("button", "Copy", "copy");
    button.dataset.copies = name;
    button.onclick = () => copy(text, button);
    dd.append(make("br"), button);
  };
  row("type", node.type);
  if (node.path) copyable("path", node.path);
  row("what happens", (data.styles.find((style) => style.mark === look(node)) || {}).meaning);
  row("why", node.reason, node.mark === "culprit" ? "reason" : undefined);
  row("rule", node.rule);
  if (node.advice) copyable("advice", node.advice);
  row("value", node.value);
  row("size", node.size);
  const links = (name, edges, end) => {
    if (!edges.length) return;
    list.append(make("dt", `${name} (${edges.length.toLocaleString("en")})`));
    const dd = make("dd");
    edges.slice(0, 40).forEach((edge) => {
      const other = nodes.get(edge[end]);
      const button = make("button", `${edge.label || "."}  ${other.type}`, "go");
      button.onclick = () => go(other.id);
      dd.append(button);
    });
    if (edges.length > 40) dd.append(make("span", `... and ${edges.length - 40} more`, "quiet"));
    list.append(dd);
  };
  links("refers to", out.get(id), "target");
  links("referred to by", into.get(id), "source");
  panel.append(list);
}

function go(id) {
  reveal(id);
  if (!cy.$id(id).length) draw(true);
  choose(id, true);
}

function toggle(id) {
  const all = new Set(out.get(id).map((edge) => edge.target)).size;
  if (!all) return;
  const now = unfolded.get(id) || 0;
  if (now >= all) unfolded.delete(id); else unfolded.set(id, now + STEP);
  draw(true);
  choose(id, true);
}

async function copy(text, button) {
  let done = false;
  try { await navigator.clipboard.writeText(text); done = true; } catch (error) {
    const area = make("textarea", text);
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
  }
  if (button) { button.textContent = done ? "Copied" : "Select and copy it"; setTimeout(() => { button.textContent = "Copy"; }, 1500); }
}

// -- searching ---------------------------------------------------------------------------------------
let matches = [], at = -1;
function search(text) {
  const wanted = text.trim().toLowerCase();
  matches = wanted ? order.filter((id) => { const node = nodes.get(id); return [node.type, node.value, node.path, node.reason, node.rule].some((part) => part && part.toLowerCase().includes(wanted)); }) : [];
  at = -1;
  el("found").textContent = wanted ? `${matches.length.toLocaleString("en")} found` : "";
  markMatches();
}
function markMatches() {
  cy.batch(() => { cy.nodes().removeClass("match"); for (const id of matches) cy.$id(id).addClass("match"); });
}
function next() {
  if (!matches.length) return;
  at = (at + 1) % matches.length;
  el("found").textContent = `${at + 1} of ${matches.length.toLocaleString("en")}`;
  go(matches[at]);
}

// -- the side panel ----------------------------------------------------------------------------------
function checks(where, kind, rows) {
  for (const [value, name, count, style] of rows) {
    const label = make("label"), input = make("input");
    input.type = "checkbox";
    input.checked = true;
    input.dataset[kind] = value;
    input.onchange = () => { off[kind][input.checked ? "delete" : "add"](value); draw(false); };
    label.append(input);
    if (style) { const swatch = make("span", style.sign, "swatch"); swatch.style.background = style.fill; swatch.style.borderColor = style.line; label.append(swatch); }
    label.append(make("span", name, "name"), make("span", count.toLocaleString("en"), "count"));
    where.append(label);
  }
}
const tally = (key) => { const found = new Map(); for (const node of data.nodes) found.set(key(node), (found.get(key(node)) || 0) + 1); return found; };
const byMark = tally(look);
checks(el("marks"), "mark", data.styles.filter((style) => byMark.has(style.mark)).map((style) => [style.mark, style.meaning, byMark.get(style.mark), style]));
const byType = [...tally((node) => node.type)].sort((a, b) => b[1] - a[1]);
checks(el("types"), "type", byType.slice(0, 40).map(([type, count]) => [type, type, count]));
if (byType.length > 40) el("types").append(make("p", `... and ${byType.length - 40} more types: search for them`, "quiet"));
for (const note of data.notes) el("notes").append(make("p", "Left out: " + note));

// -- buttons, mouse, keys ------------------------------------------------------------------------------
function unfoldAll() { for (const id of order) unfolded.set(id, Infinity); draw(false); }
function setTheme(name) { document.documentElement.dataset.theme = name; cy.style(styles()); }
const flip = () => setTheme(dark() ? "light" : "dark");
el("fit").onclick = fit;
el("unfold").onclick = unfoldAll;
el("refold").onclick = () => { foldToStart(); draw(false); };
el("theme").onclick = flip;
el("keys").onclick = () => el("help").showModal();
el("search").oninput = (event) => search(event.target.value);
el("search").onkeydown = (event) => {
  if (event.key === "Enter") { next(); event.preventDefault(); }
  if (event.key === "Escape") { event.target.value = ""; search(""); el("graph").focus(); }
};
cy.on("tap", "node", (event) => choose(event.target.id(), false));
cy.on("dbltap", "node", (event) => toggle(event.target.id()));
cy.on("tap", (event) => { if (event.target === cy) choose(null); });

function step(key) {
  if (selected === null) return go(root);
  if (key === "ArrowRight") {
    if (!out.get(selected).length) return;
    if (!unfolded.get(selected)) toggle(selected);
    return go(out.get(selected)[0].target);
  }
  const up = parent.get(selected);
  if (up === null) return;
  if (key === "ArrowLeft") return go(up);
  const siblings = [...new Set(out.get(up).map((edge) => edge.target))].filter((id) => parent.get(id) === up && !hidden(nodes.get(id)));
  const place = siblings.indexOf(selected) + (key === "ArrowDown" ? 1 : -1);
  if (place >= 0 && place < siblings.length) go(siblings[place]);
}
const zoomBy = (factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" && event.target.type === "search") return;
  if (event.ctrlKey || event.metaKey || event.altKey || el("help").open) return;
  const node = selected === null ? null : nodes.get(selected);
  const actions = {
    "/": () => el("search").focus(), f: fit, u: unfoldAll, t: flip, "?": () => el("help").showModal(),
    r: () => { foldToStart(); draw(false); }, "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8),
    Escape: () => choose(null), c: () => node && copy(node.path), a: () => node && node.advice && copy(node.advice),
  };
  if (event.key.startsWith("Arrow")) step(event.key);
  else if (event.key === "Enter" && event.target.tagName !== "BUTTON") { if (node) toggle(node.id); }
  else if (actions[event.key]) actions[event.key]();
  else return;
  event.preventDefault();
});

const prefers = window.matchMedia("(prefers-color-scheme: dark)");
setTheme(prefers.matches ? "dark" : "light");
prefers.onchange = () => setTheme(prefers.matches ? "dark" : "light");
foldToStart();
draw(false);
window.graphcopyPage = { cy, visible, go, toggle, choose };
})();
