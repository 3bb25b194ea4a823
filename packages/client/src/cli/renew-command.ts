/**
 * `kurir renew`. With a condition it looks at quota and plan, and renews at most once in each period. The feed has no event at
 * a percentage of one's own, so the command looks at the account itself. Events only tell it when to look.
 */
import { limits } from '@kurir/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KurirError } from '../calls/errors.js';
import { isPassing } from '../calls/follow-events.js';
import type { Answer } from '../contract/call-types.js';
import { toSnakeCase } from '../contract/wire-case.js';
import type { Begin, Cli } from './terminal/cli.js';
import { fieldLines, type Field } from './terminal/layout.js';

type RenewFlags = { method?: string; whenBelow?: number; whenDays?: number; once?: true; follow?: true };
type Account = Answer<'accountInfo'>;

/** No event tells a percentage of one's own, so the quota is looked at this often. */
const lookEveryMs = 60_000;
const waitSeconds = 25;
/** After this many seconds without an answer to a request that waits, the connection is broken. */
const patienceSeconds = 10;
const briefMs = 1_000;
/** After an outage. */
const pauseMs = 10_000;
/** A payment page lives this long. Afterwards the command asks for another one. */
const pageLifetimeMs = limits.renewalPaymentHours * 3_600_000;
const wakingTypes = ['quota.low', 'quota.exhausted', 'plan.expiring', 'renewal.paid'] as const;

function parsePercent(text: string): number {
  const percent = /^\d{1,3}%?$/.test(text) ? Number.parseInt(text, 10) : 0;
  if (percent < 1 || percent > 100) throw new InvalidArgumentError('Give a percentage from 1% to 100%.');
  return percent;
}

function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days < 1) throw new InvalidArgumentError('Give a number of days from 1 to 999.');
  return days;
}

const help = `
With --when-below or --when-days the command renews only if the account needs it, and at most once in each period. A second
run in the same period gets the same renewal, also when it is paid. It pays nothing: somebody opens the address and pays.
With --follow it stays. It looks at each event of quota and plan, and every minute, because no event tells 10 %.
If nobody pays within ${limits.renewalPaymentHours} hours, it prints a new address.
With --json and --follow, each renewal is one line.

Examples:
  $ kurir renew
  $ kurir renew --when-below 10% --when-days 3          in a cron job, each hour
  $ kurir renew --when-below 10% --when-days 3 --follow
`;

export function addRenewCommand(program: Command, begin: Begin): void {
  program
    .command('renew')
    .description('Renew the account: create a payment and print its address.')
    .option('--method <method>', 'payment method: ordinary (crypto is not available yet)')
    .option('--when-below <percent>', 'only if less than this share of the quota is left, like 10%', parsePercent)
    .option('--when-days <days>', 'only if the plan ends within this many days', parseDays)
    .addOption(new Option('--once', 'look once and end (the default)').conflicts('follow'))
    .addOption(new Option('--follow', 'stay, and renew each time when it is needed'))
    .addHelpText('after', help)
    .action(async (flags: RenewFlags, own: Command) => {
      const isConditional = flags.whenBelow !== undefined || flags.whenDays !== undefined;
      if (!isConditional && flags.follow === true)
        own.error('error: --follow needs --when-below or --when-days', { exitCode: 2 });
      const cli = begin(own);
      if (!isConditional) return show(cli, await cli.client.renewAccount({ paymentMethod: flags.method }));
      if (flags.follow === true) return follow(cli, flags);
      const account = await cli.client.accountInfo();
      const why = reasonToRenew(account, flags);
      if (why === null) return cli.print({ renewed: false }, () => [notNeeded(account)]);
      cli.say(cli.paint.dim(why));
      show(cli, await renew(cli, account, flags));
    });
}

/** Null: the account needs no renewal. A plan without a limit has no share that is left. */
export function reasonToRenew(
  { daysLeft, initialQuota, remainingQuota }: Pick<Account, 'daysLeft' | 'initialQuota' | 'remainingQuota'>,
  { whenBelow, whenDays }: { readonly whenBelow?: number | undefined; readonly whenDays?: number | undefined },
): string | null {
  if (whenDays !== undefined && daysLeft <= whenDays)
    return `The plan ends in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}.`;
  const [left, all] = [Number(remainingQuota), Number(initialQuota)];
  const isBelow = whenBelow !== undefined && Number.isFinite(all) && left * 100 < all * whenBelow;
  return isBelow ? `${left} of ${all} messages are left.` : null;
}

/** Each paid renewal moves the end, so the end names the period. A repeat with this name gets the same renewal. */
const nameOfPeriod = ({ sessionId, expiryDate }: Account): string =>
  `renew-${sessionId.slice(0, 8)}-${Date.parse(expiryDate)}`;

const renew = (cli: Cli, account: Account, { method }: RenewFlags) =>
  cli.client.renewAccount({ paymentMethod: method, idempotencyKey: nameOfPeriod(account) });

type Watch = {
  readonly cli: Cli;
  readonly flags: RenewFlags;
  cursor: string | null;
  /** The period of the last renewal, and when it was asked for. */
  renewed: { readonly name: string; readonly at: number } | null;
};

const isRenewed = ({ renewed, cli }: Watch, name: string): boolean =>
  renewed?.name === name && cli.clock.now() - renewed.at < pageLifetimeMs;

/** Renews whenever it is needed, until the gateway refuses for good. An outage only delays the next look. */
async function follow(cli: Cli, flags: RenewFlags): Promise<never> {
  cli.say(cli.paint.dim('Watching quota and plan. Ctrl+C ends this.'));
  const watch: Watch = { cli, flags, cursor: null, renewed: null };
  for (;;) {
    try {
      await lookAndWait(watch);
    } catch (error) {
      if (error instanceof KurirError && error.code === 'CURSOR_EXPIRED') watch.cursor = null;
      else if (!isPassing(error)) throw error;
      else await cli.clock.sleep(pauseMs);
    }
  }
}

async function lookAndWait(watch: Watch): Promise<void> {
  const { cli, flags } = watch;
  // The place in the feed before the look: what happens during it is an event.
  watch.cursor ??= (await cli.client.listEvents({ types: [...wakingTypes] })).nextCursor;
  const account = await cli.client.accountInfo();
  const why = reasonToRenew(account, flags);
  const name = nameOfPeriod(account);
  if (why !== null && !isRenewed(watch, name)) {
    cli.say(cli.paint.dim(why));
    const renewal = await renew(cli, account, flags);
    watch.renewed = { name, at: cli.clock.now() };
    if (cli.json) cli.surroundings.stdout.write(`${JSON.stringify(toSnakeCase(renewal))}\n`);
    else show(cli, renewal);
  }
  watch.cursor = await untilNews(cli, watch.cursor);
}

/** Resolves at the next event of quota or plan, or after `lookEveryMs`. */
async function untilNews({ client, clock }: Cli, after: string): Promise<string> {
  const until = clock.now() + lookEveryMs;
  for (let cursor = after; ; ) {
    const wait = Math.max(0, Math.min(waitSeconds, Math.ceil((until - clock.now()) / 1_000)));
    const timeoutMs = (wait + patienceSeconds) * 1_000;
    const askedAt = clock.now();
    const page = await client.listEvents({ after: cursor, types: [...wakingTypes], wait }, { timeoutMs });
    cursor = page.nextCursor;
    if (page.events.length > 0 || clock.now() >= until) return cursor;
    // Something on the way may not let the request wait.
    if (clock.now() - askedAt < briefMs) await clock.sleep(briefMs);
  }
}

function notNeeded({ remainingQuota, initialQuota, daysLeft }: Account): string {
  const quota = remainingQuota === 'Unlimited' ? 'no limit' : `${remainingQuota} of ${initialQuota} messages`;
  return `No renewal is needed: ${quota} and ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'} are left.`;
}

function show({ print, paint }: Cli, renewal: Answer<'renewAccount'>): void {
  const fields: readonly Field[] = [
    ['renewal', renewal.description],
    ['pay at', renewal.paymentUrl],
    ['id', renewal.renewalId],
  ];
  print(renewal, () => fieldLines(fields, paint.dim));
}
