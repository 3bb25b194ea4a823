import type { Command } from 'commander';
import type { Answer } from '../contract/call-types.js';
import type { Begin } from './terminal/cli.js';
import { type Field, fieldLines } from './terminal/layout.js';
import { localTime } from './terminal/moments.js';

/** `account`, `plan` and `renewal`. */
export function addAccountCommands(program: Command, begin: Begin): void {
  program
    .command('account')
    .description('Show the plan, its period and the remaining quota.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const account = await cli.client.accountInfo();
      cli.print(account, () => fieldLines(accountFields(account), cli.paint.dim));
    });
  program
    .command('plan')
    .description('Show the plan of the next renewal and its price.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const plan = await cli.client.latestPlan();
      cli.print(plan, () => fieldLines(planFields(plan), cli.paint.dim));
    });
  program
    .command('renewal')
    .description('Show whether a renewal is paid.')
    .argument('<id>', 'the id that kurir renew prints')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const renewal = await cli.client.getRenewal(id);
      cli.print(renewal, () => fieldLines(renewalFields(renewal), cli.paint.dim));
    });
}

function renewalFields(renewal: Answer<'getRenewal'>): Field[] {
  return [
    ['renewal', renewal.renewalId],
    ['state', renewal.state],
    ['plan', `${renewal.plan}, ${renewal.durationDays} days`],
    ['price', rupiah(renewal.price)],
    renewal.state === 'pending'
      ? ['pay at', renewal.paymentUrl]
      : ['paid at', renewal.paidAt && localTime(renewal.paidAt)],
  ];
}

const rupiah = (amount: number) => `Rp ${amount.toLocaleString('en-GB')}`;

/** The gateway says the duration in Indonesian, as its specification wants it. */
const inEnglish = (duration: string) =>
  duration.replace(/^(\d+) hari$/, (_, days: string) => (days === '1' ? '1 day' : `${days} days`));

function accountFields(account: Answer<'accountInfo'>): Field[] {
  const { initialQuota, remainingQuota, daysLeft } = account;
  return [
    ['account', account.userId],
    ['plan', account.plan],
    ['since', localTime(account.startDate)],
    ['until', `${localTime(account.expiryDate)}  (${daysLeft} ${daysLeft === 1 ? 'day' : 'days'} left)`],
    ['quota', remainingQuota === 'Unlimited' ? remainingQuota : `${remainingQuota} of ${initialQuota} left`],
  ];
}

function planFields(plan: Answer<'latestPlan'>): Field[] {
  return [
    ['plan', plan.planName],
    ['duration', inEnglish(plan.duration)],
    ['price', rupiah(plan.price)],
    ['quota', plan.quota],
  ];
}
