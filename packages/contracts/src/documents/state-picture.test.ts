import { expect, it } from 'vitest';
import { messageMoves } from '../messages/message-status.js';
import { statePicture, withStatePicture } from './state-picture.js';

it('draws every move, the start and the ends, and nothing else', () => {
  const drawn = [...statePicture().matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(([, from, to]) => `${from}>${to}`);
  const moves = Object.entries(messageMoves).flatMap(([from, targets]) => targets.map((to) => `${from}>${to}`));
  const ends = ['read', 'failed', 'expired', 'cancelled'].map((status) => `${status}>[*]`);
  expect(drawn.sort()).toEqual(['[*]>queued', ...moves, ...ends].sort());
});

it('replaces only the text in its place', () => {
  const document = withStatePicture(
    'before\n<!-- states: made from packages/contracts/src/messages/message-status.ts by `npm run generate` -->\nold\n<!-- /states -->\nafter\n',
  );
  expect(document).toMatch(/^before\n<!-- states/);
  expect(document).toMatch(/<!-- \/states -->\nafter\n$/);
  expect(document).not.toContain('old');
  expect(withStatePicture(document)).toBe(document);
});

it('refuses a document that marks no place', () => {
  expect(() => withStatePicture('# Reliability\n')).toThrow('not marked');
});
