/** What goes into a call and what comes out of it: the contracts' wire shapes, in camelCase. */
import type { answers, bodies, queries } from './contract-types.js';

/** The names of the route table's operations. */
export type Operation = keyof typeof answers;

/** `data` of the success envelope. */
export type Answer<O extends Operation> = (typeof answers)[O];

type BodyInput<O extends Operation> = (typeof bodies)[O];
type QueryInput<O extends Operation> = (typeof queries)[O];

/** `sendAt` may be a Date. Without `clientRef` the client makes one, so that its retries are recognised. */
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
  /** Accepted then or later, and before. */
  since?: Moment;
  until?: Moment;
  /** Only what something happened to since. */
  updatedSince?: Moment;
  /** Only these, up to 100. */
  jobIds?: readonly string[] | undefined;
};
/** At least one field of `filter`; times may be a Date. */
export type CancelMessagesInput = {
  filter: Omit<BodyInput<'cancelMessages'>['filter'], 'since' | 'until'> & { since?: Moment; until?: Moment };
};
/** `paymentMethod` is `ordinary` unless given. */
export type RenewAccountInput = QueryInput<'renewAccount'>;

/** `include: 'activity'`: with how many messages wait on each device and how sending goes. */
export type ListDevicesInput = QueryInput<'listDevices'>;
/** `network` is `whatsapp` unless given. Without `clientRef` the client makes one, so that a retry makes no second device. */
export type CreateDeviceInput = BodyInput<'createDevice'>;
/** What is left out stays; null means no limit, or no proxy. */
export type UpdateDeviceInput = BodyInput<'updateDevice'>;
/** `method` is `qr` unless given; `pairing_code` needs the `phoneNumber` of the phone. */
export type LinkDeviceInput = BodyInput<'linkDevice'>;

export type Device = Answer<'listDevices'>['devices'][number];
export type Job = Answer<'getMessage'>;
export type ListedJob = Answer<'listMessages'>['messages'][number];
export type BulkResult = Answer<'sendBulk'>['results'][number];

export type CallOptions = {
  /** Instead of the client's own. */
  readonly deviceId?: string | undefined;
  /** Ends the call, retries included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's own, for each try. */
  readonly timeoutMs?: number | undefined;
};
