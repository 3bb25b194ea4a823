import type { Scope } from '@kurir/contracts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKeySecret } from '@kurir/database';
import { type KeyMode, makeApiKeyId, makeApiSecret } from '@kurir/signing';
import { type Command, Option } from 'commander';
import { CommandError } from '../terminal/command-error.js';
import { findAccount, findKey } from '../terminal/find-named.js';
import { collectIp, collectScope, parseName, parseWhole } from '../terminal/parse-options.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

type CreateOptions = OutputOptions & {
  readonly name: string;
  readonly mode: KeyMode;
  readonly scope?: readonly Scope[];
  readonly allowIp?: readonly string[];
};

async function create({ database, sealer }: Admin, account: string, options: CreateOptions): Promise<Output> {
  const accountId = await findAccount(database, account);
  const [id, secret] = [makeApiKeyId(options.mode), makeApiSecret(options.mode)];
  const { name, scope: scopes = [], allowIp: allowedIps = [] } = options;
  await createApiKey(
    database,
    sealer,
    { id, secret, accountId, name, scopes, allowedIps },
    { accountId, actor: 'admin', action: 'key.created' },
  );
  return { account_id: accountId, api_key: id, api_secret: secret };
}

type RotateOptions = OutputOptions & { readonly overlapHours: number };

async function rotate({ database, sealer }: Admin, keyId: string, { overlapHours }: RotateOptions): Promise<Output> {
  const key = await findKey(database, keyId);
  const secret = makeApiSecret(keyId.startsWith('kk_live_') ? 'live' : 'test');
  const audit = { accountId: key.accountId, actor: 'admin', action: 'key.rotated' } as const;
  if ((await rotateApiKeySecret(database, sealer, key, secret, overlapHours * 3600, audit)) !== 'done')
    throw new CommandError(`The key ${keyId} is revoked; create a new one.`);
  return { api_key: keyId, api_secret: secret, old_secret_valid_hours: overlapHours };
}

async function revoke({ database }: Admin, keyId: string): Promise<Output> {
  const { accountId } = await findKey(database, keyId);
  if (!(await revokeApiKey(database, accountId, keyId, { accountId, actor: 'admin', action: 'key.revoked' })))
    throw new CommandError(`The key ${keyId} was revoked before.`);
  return { api_key: keyId, revoked: true };
}

async function list({ database }: Admin, account: string): Promise<Output> {
  const keys = await listApiKeys(database, await findAccount(database, account));
  return keys.map((key) => ({
    api_key: key.id,
    name: key.name,
    scopes: key.scopes.length === 0 ? 'all' : key.scopes,
    allowed_ips: key.allowedIps.length === 0 ? 'all' : key.allowedIps,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.secrets[0]?.lastUsedAt?.toISOString() ?? null,
    old_secret_until: key.secrets[1]?.expiresAt?.toISOString() ?? null,
    old_secret_last_used_at: key.secrets[1]?.lastUsedAt?.toISOString() ?? null,
  }));
}

export function addKeyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('API keys; a secret is printed once, when it is created');

  key
    .command('create')
    .description('create a key')
    .argument('<account>', 'id or name')
    .option('--name <name>', 'the purpose of the key', parseName, 'key')
    .addOption(
      new Option('--mode <mode>', 'test: only devices of a sandbox network, without quota')
        .choices(['live', 'test'])
        .default('live'),
    )
    .option(
      '--scope <scope>',
      'an operation scope that the key may use; repeat it for more; default: all',
      collectScope,
    )
    .option(
      '--allow-ip <range>',
      'an IP address or range that may use the key; repeat it for more; default: any',
      collectIp,
    )
    .option('--json', 'print JSON')
    .action((account: string, options: CreateOptions) => run(options, (admin) => create(admin, account, options)));

  key
    .command('rotate')
    .description('make a new secret for a key; the old one still works for some hours')
    .argument('<key>', 'id')
    .option('--overlap-hours <n>', 'hours for which the old secret still works', parseWhole, 24)
    .option('--json', 'print JSON')
    .action((id: string, options: RotateOptions) => run(options, (admin) => rotate(admin, id, options)));

  key
    .command('revoke')
    .description('revoke a key; it stops working within 5 s')
    .argument('<key>', 'id')
    .option('--json', 'print JSON')
    .action((id: string, options: OutputOptions) => run(options, (admin) => revoke(admin, id)));

  key
    .command('list')
    .description("list an account's keys, without their secrets")
    .argument('<account>', 'id or name')
    .option('--json', 'print JSON')
    .action((account: string, options: OutputOptions) => run(options, (admin) => list(admin, account)));
}
