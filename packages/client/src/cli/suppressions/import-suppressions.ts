/**
 * Suppresses the numbers of a file, in calls of 1,000. The gateway refuses a whole call for one number that is not possible.
 * So a refused call is made again in halves, until each such number stands alone. A second run adds nothing twice.
 */
import type { AddSuppressionsInput } from '../../contract/call-types.js';
import { suppressionsMax } from '../../contract/routes.js';
import { KurirError, KurirUsageError } from '../../calls/errors.js';
import type { Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { harmless } from '../terminal/layout.js';
import { readBytes, readText } from '../terminal/read-text.js';
import { type NumberLine, readNumbers, type RefusedLine } from './number-lines.js';

type Wish = Pick<AddSuppressionsInput, 'scope' | 'reason'>;
type Tally = { added: number; cancelled: number; done: number };

const isImpossible = (error: unknown): error is KurirError =>
  error instanceof KurirError && error.code === 'INVALID_PHONE_NUMBER';

/** Returns the lines that the gateway refused. */
async function add(cli: Cli, lines: readonly NumberLine[], wish: Wish, tally: Tally): Promise<RefusedLine[]> {
  try {
    const done = await cli.client.addSuppressions({ phones: lines.map(({ phone }) => phone), ...wish });
    tally.added += done.added;
    tally.cancelled += done.cancelled;
  } catch (error) {
    if (!isImpossible(error)) throw error;
    const [first] = lines;
    if (lines.length > 1) {
      const middle = lines.length >> 1;
      const refused = await add(cli, lines.slice(0, middle), wish, tally);
      return [...refused, ...(await add(cli, lines.slice(middle), wish, tally))];
    }
    tally.done += 1;
    return first === undefined ? [] : [{ line: first.line, reason: 'not a possible phone number' }];
  }
  tally.done += lines.length;
  return [];
}

const clearLine = ({ surroundings: { stderr } }: Cli): string => (stderr.isTTY ? '\r\u001b[K' : '');

function showProgress(cli: Cli, { done }: Tally, total: number): void {
  const { stderr } = cli.surroundings;
  if (stderr.isTTY) stderr.write(`${clearLine(cli)}${done} of ${total}${done === total ? '\n' : ''}`);
}

function finish(cli: Cli, { added, cancelled }: Tally, refused: readonly RefusedLine[]): void {
  for (const { line, reason } of refused) cli.say(harmless(`line ${line}: ${reason}`));
  const lines = [`${added} suppressed, ${cancelled} waiting messages cancelled, ${refused.length} lines refused`];
  cli.print({ added, cancelled, refused }, () => lines);
  if (refused.length > 0) cli.exitWith(exitCodes.refused);
}

export async function importSuppressions(cli: Cli, file: string, wish: Wish): Promise<void> {
  const { folder, stdin } = cli.surroundings;
  const text = file === '-' ? await readText(stdin) : (await readBytes(folder, file)).toString('utf8');
  const { numbers, refused: unreadable } = readNumbers(text);
  if (numbers.length === 0 && unreadable.length === 0) throw new KurirUsageError('There is no number in it.');
  const refused = [...unreadable];
  const tally: Tally = { added: 0, cancelled: 0, done: 0 };
  try {
    for (let from = 0; from < numbers.length; from += suppressionsMax) {
      refused.push(...(await add(cli, numbers.slice(from, from + suppressionsMax), wish, tally)));
      showProgress(cli, tally, numbers.length);
    }
  } catch (error) {
    cli.say(`${clearLine(cli)}Stopped after ${tally.done} of ${numbers.length}. Run it again; nothing is added twice.`);
    throw error;
  }
  finish(
    cli,
    tally,
    refused.toSorted((a, b) => a.line - b.line),
  );
}
