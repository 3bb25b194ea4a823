import { attemptOutcomes } from '@kurir/contracts';
import { type Command, Option } from 'commander';
import type { ListAttemptsInput, ListFailedEventsInput, WebhookAttempt } from '../../contract/call-types.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { parseDuration, parsePast } from '../terminal/parse-time.js';
import { attemptLine, failedLine, replayLine } from './webhook-lines.js';

const webhookArgument = ['<webhook>', 'the id of the webhook, whk_…'] as const;
const lookEveryMs = 500;

/** Returns undefined if the attempt does not appear in time. */
async function awaitAttempt(cli: Cli, webhookId: string, eventId: string, seconds: number) {
  const deadline = cli.clock.now() + seconds * 1_000;
  let found: WebhookAttempt | undefined;
  while (found === undefined && cli.clock.now() < deadline) {
    await cli.clock.sleep(lookEveryMs);
    [found] = (await cli.client.listWebhookAttempts(webhookId, { eventId, limit: 1 })).attempts;
  }
  return found;
}

const moreLines = ({ paint }: Cli, { nextCursor }: { readonly nextCursor: string | null }): string[] =>
  nextCursor === null ? [] : [paint.dim(`More: --cursor ${nextCursor}`)];

export function addDeliveryCommands(webhook: Command, begin: Begin): void {
  addPingCommand(webhook, begin);
  addReplayCommand(webhook, begin);
  addFailedCommand(webhook, begin);
  webhook
    .command('attempts')
    .argument(...webhookArgument)
    .description('Show attempts to deliver, newest first: every failure, every ping and a sample of successes.')
    .addOption(new Option('--outcome <outcome>', 'only attempts with this outcome').choices(attemptOutcomes))
    .option('--event <event>', 'only attempts of this event, evt_…')
    .option('--cursor <cursor>', 'continue a page before')
    .action(
      async (id: string, flags: Pick<ListAttemptsInput, 'outcome' | 'cursor'> & { event?: string }, own: Command) => {
        const cli = begin(own);
        const { event: eventId, ...query } = flags;
        const page = await cli.client.listWebhookAttempts(id, { ...query, eventId });
        const lines = page.attempts.map((attempt) => attemptLine(attempt, cli.paint));
        cli.print(page, () => [...(lines.length === 0 ? ['No attempts.'] : lines), ...moreLines(cli, page)]);
      },
    );
  webhook
    .command('resend')
    .argument(...webhookArgument)
    .argument('<event>', 'the id of the event, evt_…')
    .description('Send one event once more, with all its tries.')
    .action(async (webhookId: string, eventId: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const sent = await cli.client.resendEvent(eventId, { webhookId });
      cli.print(sent, () => [`${cli.paint.green('waits')}  ${sent.eventId}`]);
    });
}

function addFailedCommand(webhook: Command, begin: Begin): void {
  webhook
    .command('failed')
    .argument(...webhookArgument)
    .description('List the events that used all tries. Send one again with: kurir webhook resend')
    .option('--cursor <cursor>', 'continue a page before')
    .action(async (id: string, query: Pick<ListFailedEventsInput, 'cursor'>, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listFailedEvents(id, query);
      const lines = page.events.map((event) => failedLine(event, cli.paint));
      cli.print(page, () => [...(lines.length === 0 ? ['No failed events.'] : lines), ...moreLines(cli, page)]);
    });
}

function addPingCommand(webhook: Command, begin: Begin): void {
  webhook
    .command('ping')
    .argument(...webhookArgument)
    .description('Send a test and show its result. The exit code is 4 if the webhook did not take it.')
    .addOption(
      new Option('--timeout <duration>', 'the longest time to wait').default(20, '20s').argParser(parseDuration),
    )
    .action(async (id: string, { timeout }: { timeout: number }, own: Command) => {
      const cli = begin(own);
      const { eventId } = await cli.client.pingWebhook(id);
      cli.say(cli.paint.dim(`Sent ${eventId}. Waiting for its result.`));
      const attempt = await awaitAttempt(cli, id, eventId, timeout);
      if (attempt?.outcome !== 'delivered') cli.exitWith(exitCodes.notReached);
      const late = `No result yet. Look later with: kurir webhook attempts ${id} --event ${eventId}`;
      cli.print(attempt ?? { eventId }, () => [attempt === undefined ? late : attemptLine(attempt, cli.paint)]);
    });
}

function addReplayCommand(webhook: Command, begin: Begin): void {
  webhook
    .command('replay')
    .argument(...webhookArgument)
    .description('Send the events of a span once more.')
    .requiredOption('--since <time>', 'from this time on: 2h, or 2026-11-21T18:00', parsePast)
    .option('--until <time>', 'before this time; default: now', parsePast)
    .option('--types <list>', 'only these types, with commas between', (text: string) => text.split(','))
    .option('--dry-run', 'only count the events')
    .action(async (id: string, flags: { since: Date; until?: Date; types?: string[]; dryRun?: true }, own: Command) => {
      const cli = begin(own);
      const answer = await cli.client.replayWebhook(id, flags);
      const count = `${answer.events} events`;
      cli.print(answer, () => [count, ...(answer.replay === null ? [] : [replayLine(answer.replay)])]);
    });
}
