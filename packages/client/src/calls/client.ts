import { callGateway } from './call-gateway.js';
import type {
  Answer,
  CallOptions,
  CancelMessagesInput,
  ChatPresenceInput,
  CreateDeviceInput,
  Job,
  LinkDeviceInput,
  ListDevicesInput,
  ListMessagesInput,
  Operation,
  RenewAccountInput,
  SendBulkInput,
  SendMessageInput,
  UpdateDeviceInput,
} from '../contract/call-types.js';
import { withClientRef } from './client-ref.js';
import { type ClientOptions, openConnection } from './connection.js';
import { routes } from '../contract/routes.js';
import { plainRequest, type RequestParts } from './signed-request.js';
import { type WaitOptions, waitForJob } from './wait-for-job.js';
import { toCamelCase } from '../contract/wire-case.js';

/**
 * Every call resolves with the answer's `data` and rejects with a KurirError (the gateway refused) or a
 * KurirConnectionError (no answer of it) or a KurirUsageError (it could never be sent).
 */
export type KurirClient = {
  /** Answers once the message is stored; the `jobId` follows it. Retries never send it twice. */
  sendMessage(input: SendMessageInput, options?: CallOptions): Promise<Answer<'sendMessage'>>;
  /** Up to 1,000 messages in one request, one result each, in order. Retries never send one twice. */
  sendBulk(input: SendBulkInput, options?: CallOptions): Promise<Answer<'sendBulk'>>;
  /** Starts or stops the typing signal. */
  chatPresence(input: ChatPresenceInput, options?: CallOptions): Promise<Answer<'chatPresence'>>;
  /** One job with its timeline. */
  getMessage(jobId: string, options?: CallOptions): Promise<Answer<'getMessage'>>;
  /** Jobs, newest first. Hand on `nextCursor` as `cursor` until it is null. */
  listMessages(query?: ListMessagesInput, options?: CallOptions): Promise<Answer<'listMessages'>>;
  /** Only what is not being sent yet can be cancelled, else `JOB_NOT_CANCELLABLE`. */
  cancelMessage(jobId: string, options?: CallOptions): Promise<Answer<'cancelMessage'>>;
  /** Cancels up to 10,000 messages that wait and match; ask again while `hasMore`. */
  cancelMessages(input: CancelMessagesInput, options?: CallOptions): Promise<Answer<'cancelMessages'>>;
  /** Creates a pending payment for the latest plan choice and answers its page. */
  renewAccount(input?: RenewAccountInput, options?: CallOptions): Promise<Answer<'renewAccount'>>;
  /** The state of a renewal: `pending` until it is paid, expires or is cancelled. */
  getRenewal(renewalId: string, options?: CallOptions): Promise<Answer<'getRenewal'>>;
  /** Creates a device of the account, to be linked afterwards. Retries never make a second one. */
  createDevice(input: CreateDeviceInput, options?: CallOptions): Promise<Answer<'createDevice'>>;
  /** Changes name, politeness or proxy of the device; it counts at once. */
  updateDevice(input: UpdateDeviceInput, options?: CallOptions): Promise<Answer<'updateDevice'>>;
  /** Devices, oldest first; `pairing` is the newest code of one that is being linked. */
  listDevices(query?: ListDevicesInput, options?: CallOptions): Promise<Answer<'listDevices'>>;
  /** Starts linking; watch `listDevices` for the codes to show. */
  linkDevice(input?: LinkDeviceInput, options?: CallOptions): Promise<Answer<'linkDevice'>>;
  /** Ends linking, unless the phone has linked the device already: `DEVICE_NOT_PAIRING`. */
  cancelLink(options?: CallOptions): Promise<Answer<'cancelLink'>>;
  /** Connects a contested device again: something else used its credentials, and the gateway had stopped. */
  reconnectDevice(options?: CallOptions): Promise<Answer<'reconnectDevice'>>;
  /** Unlinks the device from its messaging account. */
  disconnectDevice(options?: CallOptions): Promise<Answer<'disconnectDevice'>>;
  deviceInfo(options?: CallOptions): Promise<Answer<'deviceInfo'>>;
  accountInfo(options?: CallOptions): Promise<Answer<'accountInfo'>>;
  latestPlan(options?: CallOptions): Promise<Answer<'latestPlan'>>;
  /**
   * Looks the job up, less and less often, until it is `until` (default `delivered`) or at an end: `failed`,
   * `expired`, `cancelled`, `unknown`. Rejects with a KurirWaitError after `timeoutMs` (default 60,000).
   */
  waitForJob(jobId: string, options?: WaitOptions): Promise<Job>;
};

/** Misses a name here: the route table has an operation that the client does not offer. */
type EveryOperation = { [O in Operation]: (...parts: never[]) => Promise<Answer<O>> };

/** A client of one gateway and key. Opens nothing, needs no closing; throws a KurirUsageError for unusable options. */
export function createClient(options: ClientOptions): KurirClient {
  const connection = openConnection(options);

  async function call<O extends Operation>(
    operation: O,
    parts: RequestParts,
    callOptions: CallOptions = {},
  ): Promise<Answer<O>> {
    const { deviceId, signal, timeoutMs = connection.timeoutMs } = callOptions;
    const request = plainRequest(connection, routes[operation], parts, deviceId ?? connection.deviceId);
    // The gateway answers in the shape that the contracts name; its own tests hold it to that.
    return toCamelCase(await callGateway(connection, request, { signal, timeoutMs })) as Answer<O>;
  }

  const getMessage: KurirClient['getMessage'] = (jobId, options) => call('getMessage', { id: jobId }, options);
  return {
    sendMessage: (input, options) => call('sendMessage', { body: withClientRef(input) }, options),
    sendBulk: (input, options) => call('sendBulk', { body: { messages: input.messages.map(withClientRef) } }, options),
    chatPresence: (input, options) => call('chatPresence', { body: input }, options),
    getMessage,
    listMessages: ({ jobIds, ...query } = {}, options) =>
      call('listMessages', { query: { ...query, jobIds: jobIds?.join(',') } }, options),
    cancelMessage: (jobId, options) => call('cancelMessage', { id: jobId }, options),
    cancelMessages: (input, options) => call('cancelMessages', { body: input }, options),
    renewAccount: (query = {}, options) => call('renewAccount', { query }, options),
    getRenewal: (renewalId, options) => call('getRenewal', { id: renewalId }, options),
    createDevice: (input, options) => call('createDevice', { body: withClientRef(input) }, options),
    updateDevice: (input, options) => call('updateDevice', { body: input }, options),
    listDevices: (query = {}, options) => call('listDevices', { query }, options),
    linkDevice: (input = {}, options) => call('linkDevice', { body: input }, options),
    cancelLink: (options) => call('cancelLink', {}, options),
    reconnectDevice: (options) => call('reconnectDevice', {}, options),
    disconnectDevice: (options) => call('disconnectDevice', {}, options),
    deviceInfo: (options) => call('deviceInfo', {}, options),
    accountInfo: (options) => call('accountInfo', {}, options),
    latestPlan: (options) => call('latestPlan', {}, options),
    waitForJob: (jobId, options = {}) => waitForJob(getMessage, connection.clock, jobId, options),
  } satisfies EveryOperation & KurirClient;
}
