import { type MessageStatus, messageMoves, messageStatuses } from '../messages/message-status.js';

const start = '<!-- states: made from packages/contracts/src/messages/message-status.ts by `npm run generate` -->';
const end = '<!-- /states -->';

const movesFrom = (from: MessageStatus) => messageMoves[from].map((to) => `  ${from} --> ${to}`);

const ends = messageStatuses.filter((status) => messageMoves[status].length === 0);

/** Draws the states of a message and every move between them, as a Mermaid diagram. */
export function statePicture(): string {
  const lines = ['stateDiagram-v2', '  [*] --> queued', ...messageStatuses.flatMap(movesFrom)];
  return ['```mermaid', ...lines, ...ends.map((status) => `  ${status} --> [*]`), '```'].join('\n');
}

/** Returns the document with the picture in its place. Throws if the document does not mark the place. */
export function withStatePicture(document: string): string {
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The place for the states is not marked with ${start} and ${end}`);
  return `${document.slice(0, from + start.length)}\n\n${statePicture()}\n\n${document.slice(to)}`;
}
