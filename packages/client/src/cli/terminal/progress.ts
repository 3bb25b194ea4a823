import type { Cli } from './cli.js';

const barWidth = 30;

/** Empties the line of the bar, so that a remark can stand there. */
export const clearLine = (cli: Cli): string => (cli.surroundings.stderr.isTTY ? '\r\u001b[K' : '');

/** Draws a bar on stderr, if that is a terminal. `part` is 0 to 1; with 1 the line ends. */
export function showBar(cli: Cli, part: number, text: string): void {
  const { stderr } = cli.surroundings;
  if (!stderr.isTTY || cli.json) return;
  const filled = Math.round(Math.min(1, part) * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  stderr.write(`${clearLine(cli)}${bar} ${text}${part >= 1 ? '\n' : ''}`);
}
