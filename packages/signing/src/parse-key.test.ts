import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseKey } from './parse-key.js';

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
const good = bytes.toString('base64');

describe('a text that is no key', () => {
  it.each([
    ['is empty', '', /empty/],
    ['ends in a line break', `${good}\n`, /white space/],
    ['begins with a space', ` ${good}`, /white space/],
    ['is hex', bytes.toString('hex'), /48 bytes, not 32/],
    ['is base64url', bytes.toString('base64url').replace(/^./, '_'), /not base64/],
    ['has quotes around it', `"${good}"`, /not base64/],
    ['is too short', Buffer.alloc(16, 1).toString('base64'), /16 bytes, not 32/],
    ['is too long', Buffer.alloc(33, 1).toString('base64'), /33 bytes, not 32/],
    ['is a pass phrase', 'correct horse battery staple', /not base64/],
  ])('%s: the error says so and contains no part of it', (_, text, reason) => {
    let message = '';
    try {
      parseKey(text);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toMatch(reason);
    if (text.length > 0) expect(message).not.toContain(text.trim().slice(0, 8));
  });
});

describe('a key', () => {
  it('is the 32 bytes of its base64, with or without padding', () => {
    expect(parseKey(good).export()).toEqual(bytes);
    expect(parseKey(good.replace('=', '')).export()).toEqual(bytes);
  });

  it('does not show its bytes when printed or logged', () => {
    const key = parseKey(good);
    const shown = [inspect(key), JSON.stringify(key)].join('\n');
    expect(shown).not.toContain(good.slice(0, 8));
    expect(shown).not.toContain(bytes.toString('hex').slice(0, 8));
  });
});
