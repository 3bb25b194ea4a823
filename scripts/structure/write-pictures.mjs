// Draws docs/architecture.svg from the imports, and the states of a session into ARCHITECTURE.md. `--check` fails if one is
// stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { sessionMoves } from '../../apps/worker/dist/devices/session-state.js';
import { fromRoot, root } from '../local/paths.mjs';
import { drawRooms } from './draw-rooms.mjs';

const start = '<!-- session states: made by `npm run generate` -->';
const end = '<!-- /session states -->';

function withSessionStates(document) {
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`ARCHITECTURE.md does not mark the place with ${start} and ${end}`);
  const moves = Object.entries(sessionMoves).flatMap(([state, targets]) => targets.map((to) => `  ${state} --> ${to}`));
  const picture = ['```mermaid', 'stateDiagram-v2', '  [*] --> connecting', ...moves, '  over --> [*]', '```'].join(
    '\n',
  );
  return `${document.slice(0, from + start.length)}\n\n${picture}\n\n${document.slice(to)}`;
}

const pictures = [
  { path: 'docs/architecture.svg', make: () => drawRooms(root) },
  { path: 'ARCHITECTURE.md', make: withSessionStates },
];

for (const { path, make } of pictures) {
  const present = readIfThere(fromRoot(path));
  const wanted = make(present);
  if (!process.argv.includes('--check')) writeFileSync(fromRoot(path), wanted);
  else if (present !== wanted) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
