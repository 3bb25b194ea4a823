/** Asks a person before something that cannot be undone. */
import { KurirUsageError } from '../../calls/errors.js';
import type { Cli } from './cli.js';

async function readLine(stdin: Cli['surroundings']['stdin']): Promise<string> {
  let text = '';
  for await (const piece of stdin) {
    text += String(piece);
    if (text.includes('\n')) break;
  }
  return (text.split('\n')[0] ?? '').trim();
}

/** Throws a KurirUsageError unless the person types yes. A program cannot type, so it must give --yes. */
export async function confirm({ surroundings: { stdin, stderr } }: Cli, question: string): Promise<void> {
  if (stdin.isTTY !== true) throw new KurirUsageError(`${question} Add --yes if you mean it.`);
  stderr.write(`${question} Type yes: `);
  const typed = await readLine(stdin);
  if (!/^y(es)?$/i.test(typed)) throw new KurirUsageError('Nothing was changed.');
}
