/** What the handlers work with, opened once at the start (open-resources.ts). */
import type { AcceptOutcome, AccountKeys, Database, GroupCommit, NewMessage, Sealer } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { AttemptLimits, Enqueuer, QueueConnection, RateLimit } from '@kurir/queue';
import type { Addresses } from './addresses.js';
import type { ApiKeyCache } from './api-key-cache.js';
import type { Live } from './live/live.js';
import type { PaymentProvider } from './payments/payment-provider.js';
import type { MidtransApi } from './payments/midtrans/midtrans-api.js';
import type { SandboxProvider } from './payments/sandbox-provider.js';
import type { SignIn } from './sign-in/create-sign-in.js';
import type { Mailer } from './sign-in/mailer.js';
import type { UsedSecrets } from './used-secrets.js';

export type Api = {
  readonly database: Database;
  /** Opens and seals what is kept encrypted. */
  readonly sealer: Sealer;
  /** Seal contents, and make fingerprints. */
  readonly accountKeys: AccountKeys;
  readonly queue: QueueConnection;
  readonly acceptor: GroupCommit<NewMessage, AcceptOutcome>;
  readonly bulkAcceptor: GroupCommit<readonly NewMessage[], AcceptOutcome[]>;
  readonly enqueuer: Enqueuer;
  readonly rateLimit: RateLimit;
  readonly keys: ApiKeyCache;
  readonly usedSecrets: UsedSecrets;
  /** Where renewals are paid; null where nothing is set up to pay with. */
  readonly payments: PaymentProvider | null;
  /** Set where it is the provider. */
  readonly midtrans: { readonly midtrans: MidtransApi; readonly serverKey: string } | null;
  /** The built-in provider's own side: its page, and the secret of its callbacks. */
  readonly sandbox: { readonly provider: SandboxProvider; readonly callbackSecret: string };
  readonly addresses: Addresses;
  /** Passwords, codes, passkeys and sessions of the dashboard; made when first asked for, once the address is known. */
  readonly signIn: () => SignIn;
  readonly attempts: AttemptLimits;
  readonly live: Live;
  /** Tells all api processes that an account's live pages have something to show. */
  readonly ringLive: () => void;
  readonly mailer: Mailer;
  /** Mails are kept and shown instead of being sent. */
  readonly mailbox: boolean;
  /** Whether strangers may open an account. */
  readonly signUp: boolean;
  /** What an account that somebody opened may send before it pays. */
  readonly trialMessages: number;
  /** The folder of the dashboard's build. */
  readonly builtPages: string;
  /** The phones of the simulated network, without a slash at its end; null where there is no such network. */
  readonly simulatorUrl: string | null;
  /** Whether a device's proxy may stand inside the operator's own network. */
  readonly privateProxies: 'allow' | 'refuse';
  readonly logger: Logger;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
  /** Unix milliseconds of this process, for the timestamp window. */
  readonly now: () => number;
};
