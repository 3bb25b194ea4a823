import { callGateway } from './call-gateway.js';
import { type AudienceCalls, audienceCalls } from './audience-calls.js';
import { downloadFile } from './download-file.js';
import type {
  Answer,
  CallOptions,
  CancelMessagesInput,
  ChatPresenceInput,
  CreateDeviceInput,
  CreateWebhookInput,
  Job,
  LinkDeviceInput,
  ListAttemptsInput,
  ListDevicesInput,
  ListConversationMessagesInput,
  ListConversationsInput,
  ListEventsInput,
  ListFailedEventsInput,
  ListMessagesInput,
  Operation,
  RenewAccountInput,
  ReplayWebhookInput,
  SendBulkInput,
  SendMessageInput,
  UpdateDeviceInput,
  UpdateWebhookInput,
} from '../contract/call-types.js';
import { type EventFeed, type EventsInput, followEvents } from './follow-events.js';
import { withClientRef } from './client-ref.js';
import { type ClientOptions, openConnection } from './connection.js';
import { routes } from '../contract/routes.js';
import { plainRequest, type RequestParts } from './signed-request.js';
import { type WaitOptions, waitForJob } from './wait-for-job.js';
import { toCamelCase } from '../contract/wire-case.js';

/**
 * Every call resolves with the `data` of the gateway's answer. It rejects with one of three errors:
 * - KurirError: the gateway refused.
 * - KurirConnectionError: the gateway did not answer.
 * - KurirUsageError: the call cannot be sent as it is.
 */
export type KurirClient = AudienceCalls & {
  /** Resolves when the gateway has stored the message. Use `jobId` to follow it. Retries never send it twice. */
  sendMessage(input: SendMessageInput, options?: CallOptions): Promise<Answer<'sendMessage'>>;
  /** Sends up to 1,000 messages in one request. Returns one result for each, in order. Retries never send one twice. */
  sendBulk(input: SendBulkInput, options?: CallOptions): Promise<Answer<'sendBulk'>>;
  /** Starts or stops the typing signal. */
  chatPresence(input: ChatPresenceInput, options?: CallOptions): Promise<Answer<'chatPresence'>>;
  /** Returns one job with its timeline. */
  getMessage(jobId: string, options?: CallOptions): Promise<Answer<'getMessage'>>;
  /** Returns the text of one job. The audit log records it. `withheld` says why there is none. */
  readMessageText(jobId: string, options?: CallOptions): Promise<Answer<'readMessageText'>>;
  /** Returns jobs, newest first. Pass `nextCursor` as `cursor` until it is null. */
  listMessages(query?: ListMessagesInput, options?: CallOptions): Promise<Answer<'listMessages'>>;
  /** Cancels a job that is not yet being sent. Otherwise it rejects with `JOB_NOT_CANCELLABLE`. */
  cancelMessage(jobId: string, options?: CallOptions): Promise<Answer<'cancelMessage'>>;
  /** Cancels up to 10,000 waiting messages that match the filter. Call again while `hasMore` is true. */
  cancelMessages(input: CancelMessagesInput, options?: CallOptions): Promise<Answer<'cancelMessages'>>;
  /** Creates a pending payment for the latest plan choice and returns the address of its page. */
  renewAccount(input?: RenewAccountInput, options?: CallOptions): Promise<Answer<'renewAccount'>>;
  /** Returns the state of a renewal. It is `pending` until somebody pays or cancels it, or until it expires. */
  getRenewal(renewalId: string, options?: CallOptions): Promise<Answer<'getRenewal'>>;
  /** Creates a device of the account. Link it afterwards. Retries never create a second one. */
  createDevice(input: CreateDeviceInput, options?: CallOptions): Promise<Answer<'createDevice'>>;
  /** Changes the name, the politeness or the proxy of the device, with effect at once. */
  updateDevice(input: UpdateDeviceInput, options?: CallOptions): Promise<Answer<'updateDevice'>>;
  /** Returns devices, oldest first. `pairing` is the newest code of a device that is being linked. */
  listDevices(query?: ListDevicesInput, options?: CallOptions): Promise<Answer<'listDevices'>>;
  /** Starts linking. Call `listDevices` for the codes to show. */
  linkDevice(input?: LinkDeviceInput, options?: CallOptions): Promise<Answer<'linkDevice'>>;
  /** Stops linking. Rejects with `DEVICE_NOT_PAIRING` if the phone has already linked the device. */
  cancelLink(options?: CallOptions): Promise<Answer<'cancelLink'>>;
  /** Connects a contested device again. The gateway stopped because another program used the device's credentials. */
  reconnectDevice(options?: CallOptions): Promise<Answer<'reconnectDevice'>>;
  /** Unlinks the device from its messaging account. */
  disconnectDevice(options?: CallOptions): Promise<Answer<'disconnectDevice'>>;
  /** Deletes a device that is not linked. Its messages stay readable. */
  deleteDevice(deviceId: string, options?: CallOptions): Promise<Answer<'deleteDevice'>>;
  deviceInfo(options?: CallOptions): Promise<Answer<'deviceInfo'>>;
  /** Returns how well the number of a device does: a word, its reasons, and the counts of its last 30 days. */
  deviceHealth(deviceId: string, options?: CallOptions): Promise<Answer<'deviceHealth'>>;
  accountInfo(options?: CallOptions): Promise<Answer<'accountInfo'>>;
  latestPlan(options?: CallOptions): Promise<Answer<'latestPlan'>>;
  /** Returns conversations; the one in which somebody wrote last comes first. */
  listConversations(query?: ListConversationsInput, options?: CallOptions): Promise<Answer<'listConversations'>>;
  getConversation(conversationId: string, options?: CallOptions): Promise<Answer<'getConversation'>>;
  /** Returns the messages of both directions, newest first. */
  listConversationMessages(
    conversationId: string,
    query?: ListConversationMessagesInput,
    options?: CallOptions,
  ): Promise<Answer<'listConversationMessages'>>;
  /** Marks all messages of the conversation as read. */
  markConversationRead(conversationId: string, options?: CallOptions): Promise<Answer<'markConversationRead'>>;
  /** Returns one page of events, oldest first. Pass `nextCursor` as `after`. */
  listEvents(query?: ListEventsInput, options?: CallOptions): Promise<Answer<'listEvents'>>;
  /**
   * The events of the account, one after the other, for ever. Store `cursor` of the returned object after each event, and
   * pass it as `after` to continue.
   */
  events(input?: EventsInput): EventFeed;
  /** Creates a webhook. Store its `secret`: only this answer shows it. After a lost answer, delete the webhook and repeat. */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<Answer<'createWebhook'>>;
  /** Returns webhooks with their health, oldest first. */
  listWebhooks(options?: CallOptions): Promise<Answer<'listWebhooks'>>;
  /** Returns one webhook with its health and its last replays. */
  getWebhook(webhookId: string, options?: CallOptions): Promise<Answer<'getWebhook'>>;
  /** Changes a webhook. Enabling it goes on with the first event that it did not get. */
  updateWebhook(webhookId: string, input: UpdateWebhookInput, options?: CallOptions): Promise<Answer<'updateWebhook'>>;
  deleteWebhook(webhookId: string, options?: CallOptions): Promise<Answer<'deleteWebhook'>>;
  /** Gives the webhook a new secret. For 24 hours both secrets sign. */
  rotateWebhookSecret(webhookId: string, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>;
  /** Sends a test. Its result appears among the attempts. */
  pingWebhook(webhookId: string, options?: CallOptions): Promise<Answer<'pingWebhook'>>;
  /** Sends the events of a span once more, or counts them. */
  replayWebhook(webhookId: string, input: ReplayWebhookInput, options?: CallOptions): Promise<Answer<'replayWebhook'>>;
  /** Returns attempts to deliver, newest first. */
  listWebhookAttempts(
    webhookId: string,
    query?: ListAttemptsInput,
    options?: CallOptions,
  ): Promise<Answer<'listWebhookAttempts'>>;
  /** Returns the events that used all tries, newest first. */
  listFailedEvents(
    webhookId: string,
    query?: ListFailedEventsInput,
    options?: CallOptions,
  ): Promise<Answer<'listFailedEvents'>>;
  /** Sends one event to a webhook once more. */
  resendEvent(
    eventId: string,
    input: { readonly webhookId: string },
    options?: CallOptions,
  ): Promise<Answer<'resendEvent'>>;
  /**
   * Looks the job up, at growing intervals, until it reaches `until` (default `delivered`) or ends as `failed`,
   * `expired`, `cancelled` or `unknown`. Rejects with a KurirWaitError after `timeoutMs` (default 60,000).
   */
  waitForJob(jobId: string, options?: WaitOptions): Promise<Job>;
};

/** Does not compile if the client lacks an operation of the route table. */
type EveryOperation = {
  [O in Operation]: (...parts: never[]) => Answer<O> extends string ? AsyncIterable<string> : Promise<Answer<O>>;
};

/**
 * Creates a client of one gateway and one key. It opens nothing and needs no closing. Throws a KurirUsageError for
 * unusable options.
 */
export function createClient(options: ClientOptions): KurirClient {
  const connection = openConnection(options);

  async function call<O extends Operation>(
    operation: O,
    parts: RequestParts,
    callOptions: CallOptions = {},
  ): Promise<Answer<O>> {
    const { deviceId, signal, timeoutMs = connection.timeoutMs, onRepeat } = callOptions;
    const request = plainRequest(connection, routes[operation], parts, deviceId ?? connection.deviceId);
    // The gateway answers in the shape that the contracts name. The tests of the gateway check that.
    return toCamelCase(await callGateway(connection, request, { signal, timeoutMs, onRepeat })) as Answer<O>;
  }

  function download(operation: Operation, parts: RequestParts, callOptions: CallOptions = {}): AsyncIterable<string> {
    const { signal, timeoutMs = connection.timeoutMs } = callOptions;
    return downloadFile(connection, plainRequest(connection, routes[operation], parts, null), { signal, timeoutMs });
  }

  const listEvents: KurirClient['listEvents'] = ({ types, ...query } = {}, options) =>
    call('listEvents', { query: { ...query, types: types?.join(',') } }, options);
  const getMessage: KurirClient['getMessage'] = (jobId, options) => call('getMessage', { id: jobId }, options);
  return {
    sendMessage: (input, options) => call('sendMessage', { body: withClientRef(input) }, options),
    sendBulk: (input, options) => call('sendBulk', { body: { messages: input.messages.map(withClientRef) } }, options),
    chatPresence: (input, options) => call('chatPresence', { body: input }, options),
    getMessage,
    readMessageText: (jobId, options) => call('readMessageText', { id: jobId }, options),
    listMessages: ({ jobIds, ...query } = {}, options) =>
      call('listMessages', { query: { ...query, jobIds: jobIds?.join(',') } }, options),
    cancelMessage: (jobId, options) => call('cancelMessage', { id: jobId }, options),
    cancelMessages: (input, options) => call('cancelMessages', { body: input }, options),
    renewAccount: ({ idempotencyKey, ...query } = {}, options) =>
      call('renewAccount', { query, idempotencyKey }, options),
    getRenewal: (renewalId, options) => call('getRenewal', { id: renewalId }, options),
    createDevice: (input, options) => call('createDevice', { body: withClientRef(input) }, options),
    updateDevice: (input, options) => call('updateDevice', { body: input }, options),
    listDevices: (query = {}, options) => call('listDevices', { query }, options),
    linkDevice: (input = {}, options) => call('linkDevice', { body: input }, options),
    cancelLink: (options) => call('cancelLink', {}, options),
    reconnectDevice: (options) => call('reconnectDevice', {}, options),
    disconnectDevice: (options) => call('disconnectDevice', {}, options),
    deleteDevice: (deviceId, options) => call('deleteDevice', { id: deviceId }, options),
    deviceInfo: (options) => call('deviceInfo', {}, options),
    deviceHealth: (deviceId, options) => call('deviceHealth', { id: deviceId }, options),
    accountInfo: (options) => call('accountInfo', {}, options),
    latestPlan: (options) => call('latestPlan', {}, options),
    listConversations: (query = {}, options) => call('listConversations', { query }, options),
    getConversation: (id, options) => call('getConversation', { id }, options),
    listConversationMessages: (id, query = {}, options) => call('listConversationMessages', { id, query }, options),
    markConversationRead: (id, options) => call('markConversationRead', { id }, options),
    listEvents,
    createWebhook: (input, options) => call('createWebhook', { body: input }, options),
    listWebhooks: (options) => call('listWebhooks', {}, options),
    getWebhook: (id, options) => call('getWebhook', { id }, options),
    updateWebhook: (id, input, options) => call('updateWebhook', { id, body: input }, options),
    deleteWebhook: (id, options) => call('deleteWebhook', { id }, options),
    rotateWebhookSecret: (id, options) => call('rotateWebhookSecret', { id }, options),
    pingWebhook: (id, options) => call('pingWebhook', { id }, options),
    replayWebhook: (id, input, options) => call('replayWebhook', { id, body: input }, options),
    listWebhookAttempts: (id, query = {}, options) => call('listWebhookAttempts', { id, query }, options),
    listFailedEvents: (id, query = {}, options) => call('listFailedEvents', { id, query }, options),
    resendEvent: (id, input, options) => call('resendEvent', { id, body: input }, options),
    ...audienceCalls(call, download),
    events: (input = {}) => followEvents(listEvents, connection, input),
    waitForJob: (jobId, options = {}) => waitForJob(getMessage, connection.clock, jobId, options),
  } satisfies EveryOperation & KurirClient;
}
