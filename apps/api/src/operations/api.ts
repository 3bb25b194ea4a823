/** The resources of a handler. `open-resources.ts` opens them once, at the start. */
import type { Acceptor, AccountKeys, BulkAcceptor } from '@kurir/database';
import type { Enqueuer } from '@kurir/queue';
import type { AddressPolicy } from '@kurir/address-guard/called-url';
import type { Ground } from '../http/ground.js';
import type { PaymentResources } from './payment-resources.js';
import type { SignInResources } from '../sign-in/sign-in-resources.js';
import type { SignatureChecks } from '../signatures/signature-checks.js';
import type { NoteEnd } from '../http/request-trace.js';
import type { LivePages } from './live-pages.js';

/** The resources of `messages/accept.ts`: they store messages and tell the worker. */
export type Acceptance = {
  readonly acceptor: Acceptor;
  readonly bulkAcceptor: BulkAcceptor;
  readonly enqueuer: Enqueuer;
  /** Tells all api processes that the live pages have something new to show. */
  readonly signalLivePages: () => void;
};

export type Api = Ground &
  SignatureChecks &
  SignInResources &
  PaymentResources &
  Acceptance & {
    /** Seal the contents of messages, and make fingerprints. */
    readonly accountKeys: AccountKeys;
    readonly live: LivePages;
    /** The address of the simulated network's HTTP side, without a slash at its end; null if there is no such network. */
    readonly simulatorUrl: string | null;
    /** Whether the proxy of a device may have a private address. */
    readonly privateProxies: 'allow' | 'refuse';
    /** Which addresses webhooks may have. */
    readonly webhookAddresses: AddressPolicy;
    /** How many days feed and webhooks reach back. */
    readonly eventDays: number;
    /** Takes the requests of keys for the page of requests. */
    readonly requestLog: { readonly note: NoteEnd };
    /** The folder of the dashboard's build. */
    readonly builtPages: string;
  };
