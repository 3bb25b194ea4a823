import { expect, it } from 'vitest';
import { messageMoves } from '../messages/message-status.js';
import { statePicture, withStatePicture } from './state-picture.js';

it('draws every move, the beginning and the ends, and nothing else', () => {
  const drawn = [...statePicture().matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(([, from, to]) => `${from}>${to}`);
  const moves = Object.entries(messageMoves).flatMap(([from, targets]) => targets.map((to) => `${from}>${to}`));
  const ends = ['read', 'failed', 'expired', 'cancelled'].map((status) => `${status}>[*]`);
  expect(drawn.sort()).toEqual(['[*]>queued', ...moves, ...ends].sort());
});

it('replaces what stands in its place, and only that', () => {
  const document = withStatePicture(
    'before\n<!-- states: made from packages/contracts/src/messages/message-status.ts by `npm run generate` -->\nold\n<!-- /states -->\nafter\n',
  );
  expect(document).toMatch(/^before\n<!-- states/);
  expect(document).toMatch(/<!-- \/states -->\nafter\n$/);
  expect(document).not.toContain('old');
  expect(withStatePicture(document)).toBe(document);
});

it('refuses a document without a place for it', () => {
  expect(() => withStatePicture('# Reliability\n')).toThrow('not marked');
});
