/** The inputs and results of calls: the wire shapes of the contracts, in camelCase. */
import type { answers, bodies, queries } from './contract-types.js';

/** The names of the route table's operations. */
export type Operation = keyof typeof answers;

/** The `data` of a success. */
export type Answer<O extends Operation> = (typeof answers)[O];

type BodyInput<O extends Operation> = (typeof bodies)[O];
type QueryInput<O extends Operation> = (typeof queries)[O];

/** `sendAt` may be a Date. Without `clientRef` the client makes one, so that the gateway recognises retries. */
export type SendMessageInput = Omit<BodyInput<'sendMessage'>, 'sendAt'> & { sendAt?: Date | string | undefined };
/** 1 to 1,000 messages. */
export type SendBulkInput = { messages: readonly SendMessageInput[] };
export type ChatPresenceInput = BodyInput<'chatPresence'>;
type Moment = Date | string | undefined;

export type ListMessagesInput = Omit<
  QueryInput<'listMessages'>,
  'limit' | 'jobIds' | 'since' | 'until' | 'updatedSince'
> & {
  limit?: number | undefined;
  /** Jobs that were accepted at `since` or later, and before `until`. */
  since?: Moment;
  until?: Moment;
  /** Only jobs that changed at this time or later. */
  updatedSince?: Moment;
  /** Only the jobs with these ids, at most 100. */
  jobIds?: readonly string[] | undefined;
};
/** `filter` needs at least one field. Times may be a Date. */
export type CancelMessagesInput = {
  filter: Omit<BodyInput<'cancelMessages'>['filter'], 'since' | 'until'> & { since?: Moment; until?: Moment };
};
/**
 * `paymentMethod` is `ordinary` by default. A repeat with the same `idempotencyKey` gets the same renewal, also when it is
 * paid by then.
 */
export type RenewAccountInput = QueryInput<'renewAccount'> & { readonly idempotencyKey?: string | undefined };

/** With `include: 'activity'` each device shows its waiting messages and how sending goes. */
export type ListDevicesInput = QueryInput<'listDevices'>;
/**
 * `network` is `whatsapp` by default. Without `clientRef` the client makes one, so that a retry creates no second
 * device.
 */
export type CreateDeviceInput = BodyInput<'createDevice'>;
/** A missing field keeps its value. Null means no limit, or no proxy. */
export type UpdateDeviceInput = BodyInput<'updateDevice'>;
/** `method` is `qr` by default. `pairing_code` needs the `phoneNumber` of the phone. */
export type LinkDeviceInput = BodyInput<'linkDevice'>;

export type ListConversationsInput = Omit<QueryInput<'listConversations'>, 'limit' | 'unread'> & {
  limit?: number | undefined;
  /** Only those with unread messages. */
  unread?: boolean | undefined;
};
export type ListConversationMessagesInput = Omit<QueryInput<'listConversationMessages'>, 'limit'> & {
  limit?: number | undefined;
};

/** `types` are event types. Without `after` the feed begins now. `wait` is in seconds. */
export type ListEventsInput = Omit<QueryInput<'listEvents'>, 'types' | 'limit' | 'wait'> & {
  types?: readonly KurirEvent['type'][] | undefined;
  limit?: number | undefined;
  wait?: number | undefined;
};

/** `types` and `deviceIds` are empty by default: all but the types that only a webhook that names them gets. */
export type CreateWebhookInput = BodyInput<'createWebhook'>;
/** A missing field keeps its value. */
export type UpdateWebhookInput = BodyInput<'updateWebhook'>;
/** `since` and `until` may be a Date. With `dryRun` the events are only counted. */
export type ReplayWebhookInput = Omit<BodyInput<'replayWebhook'>, 'since' | 'until'> & {
  since: Date | string;
  until?: Moment;
};
export type ListAttemptsInput = Omit<QueryInput<'listWebhookAttempts'>, 'limit'> & { limit?: number | undefined };
export type ListFailedEventsInput = Omit<QueryInput<'listFailedEvents'>, 'limit'> & { limit?: number | undefined };

export type Webhook = Answer<'getWebhook'>['webhook'];
export type WebhookAttempt = Answer<'listWebhookAttempts'>['attempts'][number];
export type KurirEvent = Answer<'listEvents'>['events'][number];
export type Device = Answer<'listDevices'>['devices'][number];
export type Job = Answer<'getMessage'>;
export type ListedJob = Answer<'listMessages'>['messages'][number];
export type BulkResult = Answer<'sendBulk'>['results'][number];

export type CallOptions = {
  /** Replaces the `deviceId` of the client. */
  readonly deviceId?: string | undefined;
  /** Ends the call and its retries. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the `timeoutMs` of the client, for each try. */
  readonly timeoutMs?: number | undefined;
};
