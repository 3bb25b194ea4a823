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

/** Give `phone` or `phones`, up to 1,000. `scope` is `marketing` by default, and `reason` is `manual`. */
export type AddSuppressionsInput = Omit<BodyInput<'addSuppressions'>, 'phones'> & {
  phones?: readonly string[] | undefined;
};
export type ListSuppressionsInput = Omit<QueryInput<'listSuppressions'>, 'limit'> & { limit?: number | undefined };
/** Without `scope` both scopes are removed. */
export type RemoveSuppressionInput = QueryInput<'removeSuppression'>;
export type SetOptOutInput = Omit<BodyInput<'setOptOut'>, 'stopWords' | 'startWords'> & {
  stopWords: readonly string[];
  startWords: readonly string[];
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

export type ListTemplatesInput = Omit<QueryInput<'listTemplates'>, 'limit'> & { limit?: number | undefined };
export type CreateTemplateInput = BodyInput<'createTemplate'>;
/** With `baseVersion` the call fails with `TEMPLATE_CHANGED` if that is not the latest version any more. */
export type CreateTemplateVersionInput = BodyInput<'createTemplateVersion'>;
/** The names in `values` stay as they are. */
export type PreviewTemplateInput = BodyInput<'previewTemplate'>;

export type Template = Answer<'getTemplate'>;
export type Suppression = Answer<'listSuppressions'>['suppressions'][number];
export type OptOut = Answer<'getOptOut'>;

/** `sendAt` may be a Date. Give `message` or `templateId`. */
export type CreateBroadcastInput = Omit<BodyInput<'createBroadcast'>, 'sendAt'> & { sendAt?: Moment };
/** `after` is the number of rows that the list has so far. */
export type AddRecipientsInput = BodyInput<'addBroadcastRecipients'>;
/** A missing field keeps its value. */
export type UpdateBroadcastInput = BodyInput<'updateBroadcast'>;
export type ResumeBroadcastInput = BodyInput<'resumeBroadcast'>;
export type StartBroadcastInput = BodyInput<'startBroadcast'>;
/** Without `values` the first recipient of the broadcast lends its own. */
export type TestBroadcastInput = BodyInput<'testBroadcast'>;
/** `format` is `csv` by default. */
export type ExportResultsInput = QueryInput<'exportBroadcastResults'>;
export type ListBroadcastsInput = Omit<QueryInput<'listBroadcasts'>, 'limit'> & { limit?: number | undefined };
export type ListRecipientsInput = Omit<QueryInput<'listBroadcastRecipients'>, 'limit'> & { limit?: number | undefined };
export type Broadcast = Answer<'createBroadcast'>;
export type CountedBroadcast = Answer<'getBroadcast'>;
/** The api reads `phone` as people write it. A missing field keeps its value, and null clears it. */
export type SaveContactInput = BodyInput<'saveContact'>;
export type UpdateContactInput = BodyInput<'updateContact'>;
/** `attribute` is a key, a colon and a value. `q` is a part of the name or of the number. */
export type ListContactsInput = Omit<QueryInput<'listContacts'>, 'limit' | 'hasConsent'> & {
  limit?: number | undefined;
  hasConsent?: boolean | undefined;
};
/** `format` is `csv` by default. */
export type ExportContactsInput = Omit<QueryInput<'exportContacts'>, 'hasConsent'> & {
  hasConsent?: boolean | undefined;
};
/** `since` and `until` may be a Date. */
export type AuditFilter = Omit<QueryInput<'exportAudit'>, 'since' | 'until'> & { since?: Moment; until?: Moment };
export type ListAuditInput = Omit<AuditFilter, 'timeZone'> & {
  limit?: number | undefined;
  cursor?: string | null | undefined;
};
export type ListRequestsInput = Omit<QueryInput<'listRequests'>, 'limit'> & { limit?: number | undefined };
export type ChangeContactListsInput = BodyInput<'changeContactLists'>;

/** `bytes` is the size of the whole file. */
export type CreateUploadInput = BodyInput<'createUpload'>;
/** `data` is base64. */
export type UploadPartInput = BodyInput<'addUploadPart'>;

/** `mapping` names the columns of the file. `onExisting` is `update` by default. */
export type CreateContactImportInput = BodyInput<'createContactImport'>;
export type ListRefusedRowsInput = Omit<QueryInput<'listRefusedRows'>, 'limit'> & { limit?: number | undefined };

export type Contact = Answer<'getContact'>;
export type Webhook = Answer<'getWebhook'>['webhook'];
export type WebhookAttempt = Answer<'listWebhookAttempts'>['attempts'][number];
export type KurirEvent = Answer<'listEvents'>['events'][number];
export type Device = Answer<'listDevices'>['devices'][number];
export type DeviceHealth = Answer<'deviceHealth'>;
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
  /** Called before the call resolves, if the gateway had done it before and gives its first answer again. */
  readonly onRepeat?: (() => void) | undefined;
};
