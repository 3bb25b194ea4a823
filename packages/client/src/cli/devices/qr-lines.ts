/**
 * Draws a QR code for the terminal, two modules to a character. It is dark on light, whatever the terminal's colours
 * are.
 */
import { renderUnicodeCompact } from 'uqr';
import type { Cli } from '../terminal/cli.js';

const quietModules = 2;

/** Without colours the code is right only on a dark terminal. Most terminals are dark. */
export function qrLines(text: string, paint: Cli['paint']): string[] {
  const drawn = renderUnicodeCompact(text, { ecc: 'L', border: quietModules, invert: paint.isColorSupported });
  return drawn.split('\n').map((line) => paint.bgWhiteBright(paint.black(line)));
}
