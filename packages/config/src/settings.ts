/**
 * The table of all settings: the name in the environment, the schema, the default and the purpose. It generates
 * docs/configuration.md and `.env.example`. No secret has a default.
 */
import { parseKey } from '@kurir/signing';
import { z } from 'zod';

export type Program = 'api' | 'worker' | 'admin' | 'migrate';

export type Setting = {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly programs: readonly Program[];
  /** Never printed. NAME_FILE may give the path of a file with the value instead. */
  readonly secret?: true;
  /** For the documentation and `.env.example`. */
  readonly example?: string;
};

const everywhere = ['api', 'worker', 'admin'] as const;

const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be an address starting with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1');

/** A KeyObject, so that no log or error prints the bytes by accident. */
const key = z.string().transform((text, context) => {
  try {
    return parseKey(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64; make one with: openssl rand -base64 32' });
    return z.NEVER;
  }
});

/** A public key, as bytes for a driver. */
const rootKey = z
  .base64({ error: 'must be 32 bytes in base64' })
  .transform((text): Uint8Array => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64');

/** A version like `2.3000.1043857760`. Each number has 32 bits on the wire. */
const clientVersion = z.custom<`${number}.${number}.${number}`>((value) => {
  const [, ...numbers] = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/.exec(String(value)) ?? [];
  return numbers.length === 3 && numbers.every((number) => Number(number) < 2 ** 32);
}, 'must be a version like 2.3000.1043857760');

const proxy = url('http', 'socks5');
const lookupWay = z
  .string()
  .refine(
    (text) => text === 'direct' || text === 'off' || proxy.safeParse(text).success,
    'must be direct, off or the address of a proxy, starting with http:// or socks5://',
  );

export const settings = {
  NODE_ENV: {
    schema: z.enum(['development', 'test', 'production']).default('development'),
    description: 'In production a start is refused where the database or Redis could lose what was accepted.',
    programs: everywhere,
  },
  DATABASE_URL: {
    schema: url('postgresql', 'postgres'),
    description: 'Postgres, the only truth.',
    programs: [...everywhere, 'migrate'],
    secret: true,
    example: 'postgresql://kurir@127.0.0.1:5432/kurir',
  },
  REDIS_URL: {
    schema: url('redis', 'rediss'),
    description:
      'Redis 6.2 or newer with maxmemory-policy noeviction. May be lost at any time without losing a message.',
    programs: ['api', 'worker'],
    secret: true,
    example: 'redis://127.0.0.1:6379',
  },
  KURIR_MASTER_KEY: {
    schema: key,
    description: 'Encrypts API secrets and session keys at rest. 32 bytes in base64. Losing it loses them.',
    programs: everywhere,
    secret: true,
  },
  KURIR_INTERNAL_KEY: {
    schema: key,
    description: 'Signs what api and worker tell each other through Redis. 32 bytes in base64, the same for both.',
    programs: ['api', 'worker'],
    secret: true,
  },
  PORT: {
    schema: whole(0, 65_535).default(3000),
    description: 'Port of the api; 0 takes any free one.',
    programs: ['api'],
  },
  KURIR_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    description: 'Address that api and health server listen on; 0.0.0.0 in a container.',
    programs: ['api', 'worker'],
  },
  KURIR_PUBLIC_URL: {
    schema: url('http', 'https').optional(),
    description: 'Where customers reach the api: the start of payment addresses. Default: http://127.0.0.1:PORT.',
    programs: ['api'],
    example: 'https://gateway.example.com',
  },
  KURIR_PROXY_PRIVATE_ADDRESSES: {
    schema: z.enum(['refuse', 'allow'], { error: 'must be refuse or allow' }).default('refuse'),
    description:
      "Whether a customer's device may have a proxy on a private, loopback, link-local or otherwise not public address, by number or by name. `allow` only where customers may reach what the worker reaches: your databases, your metadata service.",
    programs: ['api', 'worker'],
  },
  KURIR_TRUST_PROXY: {
    schema: whole(0, 10).default(0),
    description:
      "Proxies in front of the api whose X-Forwarded-For is believed: for a key's IP allow-list, and for limits on signing in, which one proxy's address would otherwise share among all people.",
    programs: ['api'],
  },
  KURIR_RATE_LIMIT_PER_MINUTE: {
    schema: whole(1, 10_000_000).default(6_000),
    description: 'Requests per minute and API key; a bulk is one request.',
    programs: ['api'],
  },
  KURIR_SANDBOX_PAYMENTS: {
    schema: flag.optional(),
    description:
      'Whether renewals are paid on the built-in sandbox page, where no money moves and anybody with its address can press the button. Default: true, but false in production.',
    programs: ['api'],
  },
  KURIR_MIDTRANS_SERVER_KEY: {
    schema: z.string().min(1).optional(),
    description: 'The server key of a Midtrans account: renewals are then paid through Midtrans Snap, with real money.',
    programs: ['api'],
    secret: true,
  },
  KURIR_MIDTRANS_SNAP_URL: {
    schema: url('https', 'http').default('https://app.midtrans.com'),
    description: "Where Snap transactions are made. Midtrans' own sandbox: https://app.sandbox.midtrans.com.",
    programs: ['api'],
  },
  KURIR_MIDTRANS_API_URL: {
    schema: url('https', 'http').default('https://api.midtrans.com'),
    description: "Where a transaction's status is read. Midtrans' own sandbox: https://api.sandbox.midtrans.com.",
    programs: ['api'],
  },
  KURIR_TRIAL_MESSAGES: {
    schema: whole(0, 1_000_000).default(100),
    description: 'Messages that an account which somebody opened in the dashboard may send in its first seven days.',
    programs: ['api'],
  },
  KURIR_SMTP_URL: {
    schema: url('smtp', 'smtps').optional(),
    description:
      'The server that sends mails (passwords, invitations). Without it nobody can sign up in production; in development mails stand at /app/mailbox. With a password in it, nothing goes out unencrypted (STARTTLS, or smtps:): a server without TLS needs ?requireTLS=false at its end.',
    programs: ['api'],
    secret: true,
    example: 'smtps://user:password@mail.example.com',
  },
  KURIR_MAIL_FROM: {
    schema: z.email().default('kurir@localhost.localdomain'),
    description: 'The sender of those mails.',
    programs: ['api'],
    example: 'kurir@example.com',
  },
  KURIR_HEALTH_PORT: {
    schema: whole(0, 65_535).default(3001),
    description: "Port of the worker's /health/live and /health/ready; 0 takes any free one.",
    programs: ['worker'],
  },
  KURIR_WORKER_CAPACITY: {
    schema: whole(1, 10_000).default(1_000),
    description: 'Devices that one worker holds at most.',
    programs: ['worker'],
  },
  KURIR_RETENTION_DAYS: {
    schema: whole(1, 3_650).default(400),
    description: 'Days for which a message is kept after it is over, with its timeline.',
    programs: ['worker'],
  },
  KURIR_TEXT_RETENTION_HOURS: {
    schema: whole(1, 87_600).default(720),
    description:
      'Hours for which a text is kept after its message is over. One-time codes are erased one hour after they were delivered or expired, texts of messages that were sent and never delivered after 14 days.',
    programs: ['worker'],
  },
  KURIR_ACK_TIMEOUT_MS: {
    schema: whole(100, 120_000).default(10_000),
    description: "Milliseconds to wait for the network's acknowledgement of one try.",
    programs: ['worker'],
  },
  KURIR_SIMULATOR_URL: {
    schema: url('http', 'https').optional(),
    description:
      'The network simulator that devices of the network `simulator` talk to. Without it there is no such network: no device of it is made, and the dashboard says nothing of a sandbox.',
    programs: everywhere,
    example: 'http://127.0.0.1:3002',
  },
  KURIR_WHATSAPP_URL: {
    schema: url('wss', 'ws').default('wss://web.whatsapp.com/ws/chat'),
    description: 'The server that devices of the network `whatsapp` connect to.',
    programs: ['worker'],
  },
  KURIR_WHATSAPP_VERSION: {
    schema: clientVersion.optional(),
    description:
      "The version of WhatsApp's web client that devices appear as, exactly this one, also if it is older than the built-in one. Default: what the web client said last (sw.js beside KURIR_WHATSAPP_URL; Postgres keeps it), or the built-in one where that is newer.",
    programs: ['worker'],
    example: '2.3000.1043857760',
  },
  KURIR_WHATSAPP_VERSION_FETCH: {
    schema: lookupWay.optional(),
    description:
      "How a worker asks the web client for its version: at its start, once a day and after a refusal. `direct` shows WhatsApp the worker's own address; a proxy (`http://` or `socks5://`) hides it; `off` asks nobody. Default: `direct`, but nobody is asked while a WhatsApp device has a proxy. Without a WhatsApp device nobody is asked either.",
    programs: ['worker'],
    secret: true,
    example: 'direct',
  },
  KURIR_WHATSAPP_ROOT_KEY: {
    schema: rootKey.optional(),
    description:
      "The root of that server's certificates, 32 bytes in base64: only for a test relay. Default: WhatsApp's own.",
    programs: ['worker'],
  },
  KURIR_QUEUE_PREFIX: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -')
      .default('kurir'),
    description: 'First part of every Redis key: several installations can share one Redis.',
    programs: ['api', 'worker'],
  },
  KURIR_LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    description: 'The least severe log line that is written.',
    programs: everywhere,
  },
  KURIR_LOG_PRETTY: {
    schema: flag.default(false),
    description: 'Log lines for people instead of JSON.',
    programs: everywhere,
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

// Object.keys returns `string` only, but these are the keys of the table.
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** The settings that a program reads. */
export type SettingsOf<P extends Program> = {
  [N in SettingName as P extends (typeof settings)[N]['programs'][number] ? N : never]: z.output<
    (typeof settings)[N]['schema']
  >;
};
