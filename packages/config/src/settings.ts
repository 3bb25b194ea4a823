/**
 * The table of all settings: the name in the environment, the schema, the default and the purpose. It generates
 * docs/configuration.md and `.env.example`. No secret has a default.
 */
import { z } from 'zod';
import { databaseSettings } from './database-settings.js';
import { redisSettings } from './redis-settings.js';
import { tracingSettings } from './tracing-settings.js';
import { clientVersion, flag, keys, lookupWay, roles, rootKey, url, whole, word, workerRoles } from './schemas.js';
import type { Program, Setting } from './setting.js';

const everywhere = ['api', 'worker', 'admin'] as const;

export const settings = {
  NODE_ENV: {
    schema: z.enum(['development', 'test', 'production']).optional(),
    description:
      'In `production` Kurir refuses to start if Postgres or Redis could lose accepted messages. Without it, Kurir runs as in `development`, and the api starts only on loopback.',
    programs: everywhere,
  },
  ...databaseSettings,
  ...redisSettings,
  KURIR_MASTER_KEY: {
    schema: keys,
    description:
      'Encrypts API secrets, session keys and texts in the database. 32 bytes in base64. Without it nobody can read them. While it is changed, there are two, with a comma between them: the first seals, and both open.',
    programs: everywhere,
    secret: true,
  },
  KURIR_INTERNAL_KEY: {
    schema: keys,
    description:
      'Signs tickets and signals between api and worker. 32 bytes in base64, the same for both. While it is changed, there are two, with a comma between them: the first signs, and both are accepted.',
    programs: ['api', 'worker'],
    secret: true,
  },
  PORT: {
    schema: whole(0, 65_535).default(3000),
    description: 'The port of the api. 0 takes any free port.',
    programs: ['api'],
  },
  KURIR_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    description: "The address on which the api and the worker's health server listen. Use 0.0.0.0 in a container.",
    programs: ['api', 'worker'],
  },
  KURIR_SELLER_NAME: {
    schema: z.string().min(1).max(200).optional(),
    description: 'The name of the operator, who sells the plans of this gateway. Invoices begin with it.',
    programs: ['api'],
    example: 'PT Contoh Gateway',
  },
  KURIR_SELLER_TAX_NUMBER: {
    schema: z.string().min(1).max(40).optional(),
    description: 'The tax number of the seller, for invoices.',
    programs: ['api'],
  },
  KURIR_SELLER_ADDRESS: {
    schema: z.string().min(1).max(500).optional(),
    description: 'The postal address of the seller on one line, for invoices.',
    programs: ['api'],
  },
  KURIR_PUBLIC_URL: {
    schema: url('http', 'https').optional(),
    description:
      'The address at which customers reach the api. It begins the addresses of payment pages. Pages under /app answer only if the header Host names it. It begins with https:, except on loopback. Default: http://127.0.0.1:PORT.',
    programs: ['api'],
    example: 'https://gateway.example.com',
  },
  KURIR_PROXY_PRIVATE_ADDRESSES: {
    schema: z.enum(['refuse', 'allow'], { error: 'must be refuse or allow' }).default('refuse'),
    description:
      'Whether the proxy of a device may have a private or otherwise not public address. Use `allow` only if customers may reach everything that the worker reaches, such as your databases.',
    programs: ['api', 'worker'],
  },
  KURIR_WEBHOOK_PRIVATE_ADDRESSES: {
    schema: z.enum(['refuse', 'loopback', 'allow'], { error: 'must be refuse, loopback or allow' }).default('refuse'),
    description:
      'Whether a webhook may have an address that is not public. `loopback`: only one of the same machine, for development. Use `allow` only if customers may reach everything that the worker reaches, such as your databases.',
    programs: ['api', 'worker'],
  },
  KURIR_TRUST_PROXY: {
    schema: whole(0, 10).default(0),
    description:
      'The number of proxies in front of the api whose X-Forwarded-For is trusted. The IP allow-lists of keys and the limits on signing in use that address.',
    programs: ['api'],
  },
  KURIR_RATE_LIMIT_PER_MINUTE: {
    schema: whole(1, 10_000_000).default(6_000),
    description:
      'Requests that a key may make in a minute; all keys of an account together may make three times as many. Each started 32 KB of a body counts as a request.',
    programs: ['api'],
  },
  KURIR_SANDBOX_PAYMENTS: {
    schema: flag.optional(),
    description:
      'Whether people pay renewals on the built-in sandbox page. No money moves there, and anybody who knows the address can press the button. Default: true, and false in production.',
    programs: ['api'],
  },
  KURIR_MIDTRANS_SERVER_KEY: {
    schema: z.string().min(1).optional(),
    description:
      'The server key of a Midtrans account. With it, people pay renewals through Midtrans Snap, with real money.',
    programs: ['api'],
    secret: true,
  },
  KURIR_MIDTRANS_SNAP_URL: {
    schema: url('https', 'http').default('https://app.midtrans.com'),
    description:
      "The server that makes Snap transactions. For Midtrans's own sandbox: https://app.sandbox.midtrans.com.",
    programs: ['api'],
  },
  KURIR_MIDTRANS_API_URL: {
    schema: url('https', 'http').default('https://api.midtrans.com'),
    description:
      "The server that reports the status of a transaction. For Midtrans's own sandbox: https://api.sandbox.midtrans.com.",
    programs: ['api'],
  },
  KURIR_TRIAL_MESSAGES: {
    schema: whole(0, 1_000_000).default(100),
    description:
      'Messages that a new account may send in its first seven days, if a person opened it in the dashboard.',
    programs: ['api'],
  },
  KURIR_SMTP_URL: {
    schema: url('smtp', 'smtps').optional(),
    description:
      'The mail server. Without it nobody can sign up in production; in development the mails stand at /app/mailbox. If the address has a password, mails are sent only over TLS. For a server without TLS, add ?requireTLS=false.',
    programs: ['api'],
    secret: true,
    example: 'smtps://user:password@mail.example.com',
  },
  KURIR_MAIL_FROM: {
    schema: z.email().default('kurir@localhost.localdomain'),
    description: 'The sender of mails.',
    programs: ['api'],
    example: 'kurir@example.com',
  },
  KURIR_INSTANCE: {
    schema: word.optional(),
    description:
      'A name that `/health/ready` returns as the header `X-Kurir-Instance`. A launcher sees by it whose process answers.',
    programs: ['api', 'worker'],
  },
  KURIR_DRAIN_SECONDS: {
    schema: whole(0, 300).default(0),
    description:
      'After SIGTERM the api serves for so long while `/health/ready` says 503. Give a load balancer the time of two of its health checks.',
    programs: ['api'],
    example: '10',
  },
  KURIR_METRICS_PORT: {
    schema: whole(0, 65_535).optional(),
    description: 'The port of `/metrics` on KURIR_HOST, for Prometheus; 0 takes any free port. Without it: no metrics.',
    programs: ['api', 'worker'],
    example: '9464',
  },
  KURIR_METRICS_TOKEN: {
    schema: z.string().min(16).optional(),
    description: 'A scraper of `/metrics` must send it as `Authorization: Bearer …`. Without it, anybody may scrape.',
    programs: ['api', 'worker'],
    secret: true,
  },
  ...tracingSettings,
  KURIR_HEALTH_PORT: {
    schema: whole(0, 65_535).default(3001),
    description: "The port of the worker's /health/live and /health/ready. 0 takes any free port.",
    programs: ['worker'],
  },
  KURIR_WORKER_ROLES: {
    schema: roles.default(workerRoles),
    description:
      'The work of this worker. `devices`: holds devices and sends messages. `webhooks`: sends events to webhooks. `broadcasts`: plans and drives broadcasts, runs imports, and erases what is too old. Each role must run somewhere.',
    programs: ['worker'],
  },
  KURIR_WORKER_CAPACITY: {
    schema: whole(1, 10_000).default(1_000),
    description: 'The most devices that one worker holds.',
    programs: ['worker'],
  },
  KURIR_RETENTION_DAYS: {
    schema: whole(1, 3_650).default(400),
    description: 'Days for which a message and its timeline are kept after the message has ended.',
    programs: ['worker'],
  },
  KURIR_EVENTS_RETENTION_DAYS: {
    schema: whole(1, 365).default(30),
    description:
      'Days for which feed and webhooks reach back. Give all processes the same value. The attempts of webhooks are kept as long.',
    programs: ['api', 'worker'],
  },
  KURIR_TEXT_RETENTION_HOURS: {
    schema: whole(1, 87_600).default(720),
    description:
      'Hours for which a text is kept after its message has ended. One-time codes are erased one hour after they were delivered or expired. Texts that were sent and never delivered are erased after 14 days.',
    programs: ['worker'],
  },
  KURIR_CONTACT_RETENTION_DAYS: {
    schema: whole(1, 3_650).default(180),
    description:
      'Days for which a device remembers a contact without traffic. A forgotten contact counts as a new one again.',
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
      'The address of the network simulator, for devices of the network `simulator`. Without it that network does not exist, and the dashboard has no sandbox. The api refuses it at a public address.',
    programs: everywhere,
    example: 'http://127.0.0.1:3002',
  },
  KURIR_WHATSAPP_URL: {
    schema: url('wss', 'ws').default('wss://web.whatsapp.com/ws/chat'),
    description: 'The address of the server for devices of the network `whatsapp`.',
    programs: ['worker'],
  },
  KURIR_WHATSAPP_VERSION: {
    schema: clientVersion.optional(),
    description:
      "The version of WhatsApp's web client that devices show, even if it is older than the built-in one. Default: the version that the web client named last, or the built-in one if that is newer.",
    programs: ['worker'],
    example: '2.3000.1043857760',
  },
  KURIR_WHATSAPP_VERSION_FETCH: {
    schema: lookupWay.optional(),
    description:
      "How a worker asks the web client for its version, at its start, once a day and after a refusal. `direct` shows the worker's own address to WhatsApp. A proxy (`http://` or `socks5://`) hides it. `off` asks nobody. Default: `direct`, but a worker asks nobody while a WhatsApp device has a proxy, or while there is no WhatsApp device.",
    programs: ['worker'],
    secret: true,
    example: 'direct',
  },
  KURIR_WHATSAPP_ROOT_KEY: {
    schema: rootKey.optional(),
    description:
      "The root key of that server's certificates, 32 bytes in base64. Set it only for a test relay. Default: WhatsApp's own.",
    programs: ['worker'],
  },
  KURIR_QUEUE_PREFIX: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -')
      .default('kurir'),
    description: 'The first part of every Redis key. Several installations can share one Redis.',
    programs: ['api', 'worker'],
  },
  KURIR_LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    description: 'The least severe log line that is written.',
    programs: everywhere,
  },
  KURIR_LOG_PRETTY: {
    schema: flag.default(false),
    description: 'Whether log lines are written for people instead of as JSON.',
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
