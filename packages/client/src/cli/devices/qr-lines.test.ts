import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { qrLines } from './qr-lines.js';

const text = 'https://wa.me/settings/linked_devices#reference,noise,identity,secret,1';

/** The modules that a terminal shows dark: the upper and lower half of each character. Glyphs have the colour `ink`. */
function darkModules(lines: readonly string[], ink: 'dark' | 'light'): boolean[][] {
  const upper = (glyph: string) => '█▀'.includes(glyph) === (ink === 'dark');
  const lower = (glyph: string) => '█▄'.includes(glyph) === (ink === 'dark');
  return lines.flatMap((line) => [[...line].map(upper), [...line].map(lower)]);
}

const expected = encode(text, { ecc: 'L', border: 2 }).data;

describe('a QR code on the terminal', () => {
  it('has dark glyphs on a light ground with colours', () => {
    const lines = qrLines(text, pc.createColors(true));
    expect(lines.every((line) => line.startsWith('\u001b[107m\u001b[30m'))).toBe(true);
    const glyphs = lines.map(stripVTControlCharacters);
    expect(darkModules(glyphs, 'dark').slice(0, expected.length)).toEqual(expected);
  });

  it('has light glyphs on the dark ground of the terminal without colours', () => {
    const glyphs = qrLines(text, pc.createColors(false));
    expect(darkModules(glyphs, 'light').slice(0, expected.length)).toEqual(expected);
  });
});
