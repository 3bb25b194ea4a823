/**
 * Sends a JSON lines file in chunks, one after the other, so that the order holds. A second run with the same file and
 * the same --ref-prefix continues where the first stopped. The gateway recognises accepted messages and does not send
 * them again.
 */
import { randomBytes } from 'node:crypto';
import type { BulkResult, SendMessageInput } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import { type BulkLine, chunksOf, parseBulk } from './bulk-lines.js';
import type { Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { harmless } from '../terminal/layout.js';
import { clearLine, showBar } from '../terminal/progress.js';
import { readBytes, readText } from '../terminal/read-text.js';

export type BulkOptions = {
  readonly defaults: Pick<SendMessageInput, 'priority' | 'category' | 'ttlSeconds' | 'sendAt'>;
  readonly refPrefix: string | undefined;
};

type Tally = { accepted: number; refused: number };

const refPrefixMaxLength = 50;

export async function sendBulk(cli: Cli, file: string, options: BulkOptions): Promise<void> {
  const { refPrefix = `kb_${randomBytes(6).toString('hex')}`, defaults } = options;
  if (refPrefix.length > refPrefixMaxLength) {
    throw new KurirUsageError(`--ref-prefix may have ${refPrefixMaxLength} characters at most.`);
  }
  const { folder, stdin } = cli.surroundings;
  const text = file === '-' ? await readText(stdin) : (await readBytes(folder, file)).toString('utf8');
  const lines = parseBulk(text, defaults, refPrefix);
  const tally: Tally = { accepted: 0, refused: 0 };
  try {
    for (const chunk of chunksOf(lines)) await sendChunk(cli, chunk, tally, lines.length);
  } catch (error) {
    cli.say(`Stopped after ${tally.accepted + tally.refused} of ${lines.length}. To go on: --ref-prefix ${refPrefix}`);
    throw error;
  }
  if (!cli.json) cli.surroundings.stdout.write(`${tally.accepted} accepted, ${tally.refused} refused\n`);
  if (tally.refused > 0) cli.exitWith(exitCodes.refused);
}

async function sendChunk(cli: Cli, chunk: readonly BulkLine[], tally: Tally, total: number): Promise<void> {
  const { results } = await cli.client.sendBulk({ messages: chunk.map(({ message }) => message) });
  for (const [i, { number }] of chunk.entries()) {
    const result = results[i];
    if (result === undefined) throw new Error(`The gateway gave no result for line ${number}.`);
    if ('jobId' in result) tally.accepted++;
    else tally.refused++;
    report(cli, number, result);
  }
  showProgress(cli, tally, total);
}

/** With --json it prints one line for each message. Otherwise it prints the refused messages only. */
function report(cli: Cli, line: number, result: BulkResult): void {
  const { stdout, stderr } = cli.surroundings;
  if (cli.json) {
    const outcome = 'jobId' in result ? { job_id: result.jobId } : result;
    stdout.write(`${JSON.stringify({ line, ...outcome })}\n`);
  } else if (!('jobId' in result)) {
    stderr.write(`${clearLine(cli)}line ${line}: ${harmless(`${result.code} ${result.error}`)}\n`);
  }
}

function showProgress(cli: Cli, { accepted, refused }: Tally, total: number): void {
  const done = accepted + refused;
  showBar(cli, done / total, `${done} of ${total}`);
}
