/** `--wait`, `--until` and `--timeout`, for the commands that can wait for a job. */
import { type Command, Option } from 'commander';
import type { Job } from '../../contract/call-types.js';
import { hasReached, type WaitUntil } from '../../calls/wait-for-job.js';
import type { Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { jobLines, shortLine } from './job-lines.js';
import { spanFrom } from '../terminal/moments.js';
import { parseDuration } from '../terminal/parse-time.js';

export type WaitFlags = { wait?: boolean; until: WaitUntil; timeout: number };

export function addWaitOptions(command: Command): Command {
  const until = new Option('--until <status>', 'the status that --wait waits for').choices([
    'sent',
    'delivered',
    'read',
  ]);
  until.default('delivered').implies({ wait: true });
  const timeout = new Option('--timeout <duration>', 'the longest time that --wait waits').default(60, '60s');
  timeout.argParser(parseDuration);
  return command
    .option('--wait', 'wait until the message is delivered; exit code 4 if it is not')
    .addOption(until)
    .addOption(timeout);
}

/** Shows each new status when it comes, and returns the job at the end. */
async function wait(cli: Cli, jobId: string, { until, timeout }: WaitFlags): Promise<Job> {
  const onStatus = (job: Job) => cli.say(`  ${cli.paint.dim(progressOf(job))}`);
  const job = await cli.client.waitForJob(jobId, { until, timeoutMs: timeout * 1000, onStatus });
  if (!hasReached(job, until)) cli.exitWith(exitCodes.notReached);
  return job;
}

/** At the end it shows the whole job. */
export async function waitAndPrint(cli: Cli, jobId: string, flags: WaitFlags): Promise<void> {
  printJob(cli, await wait(cli, jobId, flags));
}

/** At the end it shows one line. If the job did not come so far, it shows the whole job, which says why. */
export async function waitForSent(cli: Cli, jobId: string, flags: WaitFlags): Promise<void> {
  const job = await wait(cli, jobId, flags);
  if (!hasReached(job, flags.until)) return printJob(cli, job);
  cli.print(job, () => [shortLine(job, cli.paint)]);
}

export function printJob(cli: Cli, job: Job): void {
  cli.print(job, () => jobLines(job, cli.paint, cli.clock.now()));
}

function progressOf(job: Job): string {
  const last = job.timeline.at(-1);
  return last === undefined ? job.status : `${job.status.padEnd(10)} after ${spanFrom(job.createdAt, last.at)}`;
}
