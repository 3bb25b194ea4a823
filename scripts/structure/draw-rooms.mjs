// Draws the packages, their rooms and the arrows between them as one SVG picture. A package, or a room, stands above
// everything that it imports.
import { posix } from 'node:path';
import { readImports, readRooms } from './read-imports.mjs';

const CHIP = { height: 20, gapX: 10, gapY: 18, charWidth: 6.1, padding: 8 };
const BOX = { title: 26, padding: 12, gapX: 28, gapY: 56, maxRow: 7 };
const MARGIN = 24;

/** Programs that test or measure the product from outside are not drawn. */
const isDrawn = (folder) => /^(apps|packages)\//.test(folder) && !/\/(testing|whatsapp-relay)$/.test(folder);

/** The picture of the repository at `root`. The same imports give the same text. */
export function drawRooms(root) {
  const graph = readImports(root);
  const packages = [...new Set(graph.files.values())].filter(isDrawn).sort();
  const boxes = packages.map((folder) => layOutBox(folder, graph));
  const arrows = reduce(packageArrows(graph, packages));
  const floors = floorsOf(arrows, packages);
  placeBoxes(boxes, floors, arrows);
  const width = Math.max(...boxes.map(({ x, w }) => x + w)) + MARGIN;
  const height = Math.max(...boxes.map(({ y, h }) => y + h)) + MARGIN;
  return svg(width, height, [...drawPackageArrows(boxes, arrows), ...boxes.map(drawBox)]);
}

function packageArrows({ files, imports }, packages) {
  const arrows = new Map(packages.map((folder) => [folder, new Set()]));
  for (const [path, targets] of imports) {
    const from = arrows.get(files.get(path));
    for (const target of targets) {
      const to = files.get(target);
      if (from && arrows.has(to) && to !== files.get(path)) from.add(to);
    }
  }
  return arrows;
}

/** Leaves out an arrow if another path leads to the same place. */
function reduce(arrows) {
  const reach = (from, to, direct) =>
    [...(arrows.get(from) ?? [])].some((next) => !(direct && next === to) && (next === to || reach(next, to, false)));
  return new Map(
    [...arrows].map(([from, targets]) => [from, new Set([...targets].filter((to) => !reach(from, to, true)))]),
  );
}

/** 0 imports nothing; each other node stands one above the highest that it imports. */
function floorsOf(arrows, nodes) {
  const floors = new Map();
  const floorOf = (node) => {
    if (!floors.has(node)) {
      const below = [...(arrows.get(node) ?? [])].map(floorOf);
      floors.set(node, below.length === 0 ? 0 : Math.max(...below) + 1);
    }
    return floors.get(node);
  };
  for (const node of nodes) floorOf(node);
  return floors;
}

/** Rows of at most `most` nodes, the highest floor first. */
function rowsOf(nodes, floors, most) {
  const rows = [];
  for (let floor = Math.max(...floors.values()); floor >= 0; floor -= 1) {
    const row = nodes.filter((node) => floors.get(node) === floor);
    for (let at = 0; at < row.length; at += most) rows.push(row.slice(at, at + most));
  }
  return rows;
}

function layOutBox(folder, graph) {
  const src = `${folder}/src`;
  const counts = new Map();
  for (const [path, owner] of graph.files)
    if (owner === folder && path.startsWith(`${src}/`))
      counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  const rooms = [...counts.keys()].sort();
  const all = readRooms(graph);
  const arrows = reduce(
    new Map(rooms.map((room) => [room, new Set([...all.get(room)].filter((to) => counts.has(to)))])),
  );
  const chips = new Map();
  let y = BOX.title;
  let widest = BOX.padding + folder.length * 8.2;
  for (const row of rowsOf(rooms, floorsOf(arrows, rooms), 6)) {
    let x = BOX.padding;
    for (const room of row) {
      const label = `${room === src ? 'src' : room.slice(src.length + 1)} ${counts.get(room)}`;
      const w = label.length * CHIP.charWidth + 2 * CHIP.padding;
      chips.set(room, { label, x, y, w });
      x += w + CHIP.gapX;
    }
    widest = Math.max(widest, x - CHIP.gapX);
    y += CHIP.height + CHIP.gapY;
  }
  return { folder, chips, arrows, w: widest + BOX.padding, h: y - CHIP.gapY + BOX.padding };
}

/** Each floor is a row. Within a row, a box stands near what it imports, so that fewer arrows cross. */
function placeBoxes(boxes, floors, arrows) {
  const byFolder = new Map(boxes.map((box) => [box.folder, box]));
  const rows = rowsOf([...byFolder.keys()], floors, BOX.maxRow).map((row) => row.map((folder) => byFolder.get(folder)));
  const widthOf = (row) => row.reduce((sum, { w }) => sum + w + BOX.gapX, -BOX.gapX);
  const widest = Math.max(...rows.map(widthOf));
  const heights = rows.map((row) => Math.max(...row.map(({ h }) => h)));
  let bottom = MARGIN + heights.reduce((sum, h) => sum + h + BOX.gapY, -BOX.gapY);
  for (const [index, row] of [...rows.entries()].reverse()) {
    const middle = ({ folder }) => {
      const below = [...(arrows.get(folder) ?? [])].map((to) => byFolder.get(to)).filter((box) => box.x !== undefined);
      return below.length === 0 ? 0 : below.reduce((sum, { x, w }) => sum + x + w / 2, 0) / below.length;
    };
    row.sort((a, b) => middle(a) - middle(b) || a.folder.localeCompare(b.folder));
    let x = MARGIN + (widest - widthOf(row)) / 2;
    for (const box of row) {
      box.x = x;
      box.y = bottom - heights[index];
      x += box.w + BOX.gapX;
    }
    bottom -= heights[index] + BOX.gapY;
  }
}

const round = (value) => Math.round(value * 10) / 10;

function curve(x1, y1, x2, y2, kind) {
  const bend = Math.max(8, (y2 - y1) / 2);
  const points = [x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2].map(round);
  return `<path class="${kind}" d="M${points[0]} ${points[1]} C${points[2]} ${points[3]} ${points[4]} ${points[5]} ${points[6]} ${points[7]}"/>`;
}

function drawPackageArrows(boxes, arrows) {
  const byFolder = new Map(boxes.map((box) => [box.folder, box]));
  return boxes.flatMap((box) =>
    [...arrows.get(box.folder)].map((to) => {
      const target = byFolder.get(to);
      return curve(box.x + box.w / 2, box.y + box.h, target.x + target.w / 2, target.y - 5, 'between');
    }),
  );
}

function drawBox({ folder, chips, arrows, x, y, w, h }) {
  const inside = [...chips].flatMap(([room, chip]) =>
    [...arrows.get(room)].map((to) => {
      const target = chips.get(to);
      return curve(
        x + chip.x + chip.w / 2,
        y + chip.y + CHIP.height,
        x + target.x + target.w / 2,
        y + target.y - 4,
        'within',
      );
    }),
  );
  const labels = [...chips.values()].map(
    (chip) =>
      `<rect class="room" x="${round(x + chip.x)}" y="${round(y + chip.y)}" width="${round(chip.w)}" height="${CHIP.height}" rx="4"/>` +
      `<text x="${round(x + chip.x + chip.w / 2)}" y="${round(y + chip.y + 14)}" text-anchor="middle">${chip.label}</text>`,
  );
  return [
    `<rect class="package" x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="8"/>`,
    `<text class="title" x="${round(x + BOX.padding)}" y="${round(y + 18)}">${folder}</text>`,
    ...inside,
    ...labels,
  ].join('\n');
}

const svg = (
  width,
  height,
  parts,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" role="img">
<title>The packages of Kurir, their rooms with their numbers of files, and the imports between them</title>
<style>
svg { background: #ffffff; font: 11px ui-sans-serif, system-ui, sans-serif; }
text { fill: #1f2937; }
.title { font-weight: 600; font-size: 13px; }
.package { fill: #f3f4f6; stroke: #9ca3af; }
.room { fill: #ffffff; stroke: #6b7280; }
path { fill: none; }
.between { stroke: #2563eb; stroke-width: 1.4; marker-end: url(#down); opacity: 0.75; }
.within { stroke: #9ca3af; stroke-width: 0.9; marker-end: url(#small); }
</style>
<defs>
<marker id="down" markerWidth="8" markerHeight="8" refX="5" refY="3" orient="auto"><path d="M0 0 L6 3 L0 6 z" style="fill: #2563eb"/></marker>
<marker id="small" markerWidth="6" markerHeight="6" refX="4" refY="2" orient="auto"><path d="M0 0 L4 2 L0 4 z" style="fill: #9ca3af"/></marker>
</defs>
${parts.join('\n')}
</svg>
`;
