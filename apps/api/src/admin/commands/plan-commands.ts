import { choosePlan, createPlan, grantPeriod, listPlans, readChosenPlan } from '@kurir/database';
import type { Command } from 'commander';
import { quotaText } from '../../money/quota-text.js';
import { CommandError } from '../terminal/command-error.js';
import { findAccount, findPlan } from '../terminal/find-named.js';
import { parseName, parsePositive, parseWhole } from '../terminal/parse-options.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

type CreateOptions = OutputOptions & {
  readonly days: number;
  readonly price: number;
  readonly quota?: number;
  readonly devices?: number;
};

async function create({ database }: Admin, name: string, options: CreateOptions): Promise<Output> {
  const { days: durationDays, price: priceRupiah, quota = null, devices: maxDevices } = options;
  const wanted = { name, durationDays, priceRupiah, quota, maxDevices };
  const planId = await createPlan(database, wanted, { accountId: null, actor: 'admin', action: 'plan.created' });
  const plan = await findPlan(database, planId);
  const same =
    plan.durationDays === wanted.durationDays &&
    plan.priceRupiah === wanted.priceRupiah &&
    plan.quota === wanted.quota &&
    (maxDevices === undefined || plan.maxDevices === maxDevices);
  if (!same) throw new CommandError(`There is already another plan called ${name}. See: plan list`);
  return {
    plan_id: planId,
    name,
    duration_days: plan.durationDays,
    price: plan.priceRupiah,
    quota: quotaText(plan.quota),
    devices: plan.maxDevices,
  };
}

async function list({ database }: Admin): Promise<Output> {
  const plans = await listPlans(database);
  return plans.map((plan) => ({
    plan_id: plan.planId,
    name: plan.name,
    duration_days: plan.durationDays,
    price: plan.priceRupiah,
    quota: quotaText(plan.quota),
    devices: plan.maxDevices,
    active: plan.active,
  }));
}

async function choose({ database }: Admin, account: string, planName: string): Promise<Output> {
  const accountId = await findAccount(database, account);
  const { planId, name } = await findPlan(database, planName);
  await choosePlan(database, accountId, planId, { accountId, actor: 'admin', action: 'plan.chosen' });
  return { account_id: accountId, plan_id: planId, plan: name };
}

async function grant({ database }: Admin, account: string, planName: string | undefined): Promise<Output> {
  const accountId = await findAccount(database, account);
  const plan = planName === undefined ? await readChosenPlan(database, accountId) : await findPlan(database, planName);
  if (plan === null) throw new CommandError('The account has not chosen a plan. Name one, or use: plan choose');
  await grantPeriod(database, accountId, plan, { accountId, actor: 'admin', action: 'period.granted' });
  return { account_id: accountId, plan: plan.name, days: plan.durationDays, quota: quotaText(plan.quota) };
}

export function addPlanCommands(program: Command, run: Run): void {
  const plan = program.command('plan').description('plans and periods of customers');

  plan
    .command('create')
    .description('create a plan; creating the same plan again changes nothing')
    .argument('<name>', 'the name', parseName)
    .requiredOption('--days <n>', 'days that a period lasts', parsePositive)
    .requiredOption('--price <rupiah>', 'price of a period', parseWhole)
    .option('--quota <n>', 'messages in a period; default: unlimited', parsePositive)
    .option('--devices <n>', 'devices that an account may have; default: 100', parsePositive)
    .option('--json', 'print JSON')
    .action((name: string, options: CreateOptions) => run(options, (admin) => create(admin, name, options)));

  plan
    .command('list')
    .description('list all plans')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => run(options, list));

  plan
    .command('choose')
    .description('choose the plan that the next renewals of an account buy')
    .argument('<account>', 'id or name')
    .argument('<plan>', 'id or name')
    .option('--json', 'print JSON')
    .action((account: string, name: string, options: OutputOptions) =>
      run(options, (admin) => choose(admin, account, name)),
    );

  plan
    .command('grant')
    .description('open a period now, without a payment')
    .argument('<account>', 'id or name')
    .argument('[plan]', 'id or name; default: the chosen one')
    .option('--json', 'print JSON')
    .action((account: string, name: string | undefined, options: OutputOptions) =>
      run(options, (admin) => grant(admin, account, name)),
    );
}
