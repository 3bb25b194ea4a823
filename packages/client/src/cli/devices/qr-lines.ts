/** A QR for the terminal, two modules to a character: dark on light whatever the terminal's own colours are. */
import { renderUnicodeCompact } from 'uqr';
import type { Cli } from '../terminal/cli.js';

const quietModules = 2;

/** Without colours it is right on dark terminals only, which most are. */
export function qrLines(text: string, paint: Cli['paint']): string[] {
  const drawn = renderUnicodeCompact(text, { ecc: 'L', border: quietModules, invert: paint.isColorSupported });
  return drawn.split('\n').map((line) => paint.bgWhiteBright(paint.black(line)));
}
