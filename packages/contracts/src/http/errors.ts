import type { FieldFault } from './field-rules.js';

/**
 * The one catalogue of error codes. Add codes, but never rename one: the programs of customers branch on them.
 * The documents, the client's types and the HTTP status of every refusal come from here.
 */
export const errorCatalogue = {
  MALFORMED_REQUEST: { status: 400, summary: 'The request could not be read as JSON or HTTP.' },
  MISSING_CREDENTIALS: { status: 401, summary: 'A required header is missing; the answer names it.' },
  INVALID_API_KEY: { status: 401, summary: 'The API key is unknown or revoked.' },
  INVALID_SIGNATURE: { status: 401, summary: 'The signature does not match what the server received.' },
  TIMESTAMP_OUT_OF_RANGE: { status: 401, summary: "X-Timestamp is too far from the server's clock." },
  SESSION_REQUIRED: { status: 401, summary: 'Nobody is signed in, or the session has ended.' },
  PLAN_EXPIRED: { status: 402, summary: 'The account has no running subscription period.' },
  QUOTA_EXHAUSTED: { status: 402, summary: "The running period's quota is used up." },
  KEY_NOT_ALLOWED: { status: 403, summary: "The key's scopes or its IP allow-list do not permit this." },
  ACCOUNT_SUSPENDED: {
    status: 403,
    summary:
      'An operator of the gateway has suspended the account. Its keys may do nothing, and its members can only read.',
  },
  ROLE_NOT_ALLOWED: { status: 403, summary: "The person's role in the account does not permit this." },
  CONFIRMATION_REQUIRED: {
    status: 403,
    summary: 'The person must first confirm the session by a second factor or a password. It counts for ten minutes.',
  },
  CROSS_SITE_REQUEST: { status: 403, summary: "The request did not come from the dashboard's own site." },
  NOT_FOUND: { status: 404, summary: 'There is nothing at this path.' },
  DEVICE_NOT_FOUND: { status: 404, summary: 'The account has no device with this id.' },
  JOB_NOT_FOUND: { status: 404, summary: 'The account has no job with this id.' },
  CONVERSATION_NOT_FOUND: { status: 404, summary: 'The account has no conversation with this id.' },
  CONTACT_NOT_FOUND: { status: 404, summary: 'The account has no contact with this id.' },
  UPLOAD_NOT_FOUND: { status: 404, summary: 'The account has no upload with this id, or it is gone.' },
  IMPORT_NOT_FOUND: { status: 404, summary: 'The account has no import with this id, or it is too old.' },
  NO_PLAN_CHOSEN: { status: 404, summary: 'The account has not chosen a plan yet.' },
  ACCOUNT_NOT_FOUND: { status: 404, summary: 'The person is not a member of an account with this id.' },
  KEY_NOT_FOUND: { status: 404, summary: 'The account has no live key with this id.' },
  PLAN_NOT_FOUND: { status: 404, summary: 'There is no plan with this id, or nobody can choose it any more.' },
  RENEWAL_NOT_FOUND: { status: 404, summary: 'The account has no renewal with this id.' },
  MEMBER_NOT_FOUND: { status: 404, summary: 'The account has no member with this id.' },
  INVITATION_NOT_FOUND: { status: 404, summary: 'The invitation does not exist, has ended or is for somebody else.' },
  EMAIL_CHANGE_NOT_FOUND: {
    status: 404,
    summary: 'The link for the new address was used, has ended or is for another person.',
  },
  WEBHOOK_NOT_FOUND: { status: 404, summary: 'The account has no webhook with this id.' },
  EVENT_NOT_FOUND: { status: 404, summary: 'The account has no event with this id, or the event is too old.' },
  BROADCAST_NOT_FOUND: { status: 404, summary: 'The account has no broadcast with this id.' },
  TEMPLATE_NOT_FOUND: { status: 404, summary: 'The account has no template with this id.' },
  METHOD_NOT_ALLOWED: { status: 405, summary: 'The path exists, but not with this method.' },
  DEVICE_NOT_CONNECTED: { status: 409, summary: 'The device is not connected.' },
  DEVICE_LIMIT_REACHED: {
    status: 409,
    summary: 'The account has as many devices as its plan allows, or as many are being linked; the answer says which.',
  },
  WEBHOOK_LIMIT_REACHED: { status: 409, summary: 'The account has as many webhooks as it may have.' },
  WEBHOOK_DISABLED: { status: 409, summary: 'The webhook is disabled, so nothing is sent to it. Enable it first.' },
  TEMPLATE_NAME_TAKEN: { status: 409, summary: 'Another template of the account has this name.' },
  TEMPLATE_CHANGED: {
    status: 409,
    summary: 'Somebody added a version since; base_version is not the latest any more.',
  },
  UPLOAD_LIMIT_REACHED: { status: 409, summary: 'The account keeps as many uploads as it may.' },
  UPLOAD_NOT_READY: {
    status: 409,
    summary: 'Parts of the upload are missing, or it is imported already; the answer says which.',
  },
  IMPORT_LIMIT_REACHED: { status: 409, summary: 'As many imports of the account wait or run as may.' },
  IMPORT_ENDED: { status: 409, summary: 'The import has ended already.' },
  KEY_LIMIT_REACHED: { status: 409, summary: 'The account has as many live keys as it may have.' },
  DEVICE_ALREADY_LINKED: { status: 409, summary: 'The device is linked to a messaging account already.' },
  DEVICE_NOT_LINKED: { status: 409, summary: 'The device is not linked to a messaging account.' },
  DEVICE_NOT_PAIRING: { status: 409, summary: 'The device is not being linked.' },
  DEVICE_IN_USE: {
    status: 409,
    summary: 'The device is linked or being linked, or its last messages have not ended; the answer says what to do.',
  },
  BROADCAST_STATE: { status: 409, summary: 'The broadcast is in a state in which it cannot do this.' },
  REPLAYED_REQUEST: { status: 409, summary: 'This signature was used before.' },
  JOB_NOT_CANCELLABLE: { status: 409, summary: 'The message is already being sent or is final.' },
  JOB_NOT_RETRYABLE: { status: 409, summary: 'The message has arrived or may still arrive, or its text is erased.' },
  NOT_IN_SANDBOX: { status: 409, summary: 'Only devices of the simulated network can do this.' },
  ALREADY_MEMBER: { status: 409, summary: 'The person is a member of the account already.' },
  ALREADY_OWNER: { status: 409, summary: 'The person owns an account already.' },
  LAST_OWNER: { status: 409, summary: 'The account would have no owner any more.' },
  PLAN_NAME_TAKEN: { status: 409, summary: 'Another plan has this name.' },
  TWO_FACTOR_OFF: { status: 409, summary: 'Two-factor sign-in is not set up for this person.' },
  CURSOR_EXPIRED: { status: 410, summary: 'The cursor is older than the events that are kept.' },
  PAYLOAD_TOO_LARGE: { status: 413, summary: 'The body is larger than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, summary: 'The body is not plain application/json.' },
  MISDIRECTED_REQUEST: {
    status: 421,
    summary: 'The pages of the gateway have another address than the header Host says.',
  },
  INVALID_REQUEST: { status: 422, summary: 'A field is missing, unknown or invalid; the answer names it.' },
  WEBHOOK_URL_NOT_ALLOWED: { status: 422, summary: 'Kurir does not call this address; the answer says why.' },
  RECIPIENT_SUPPRESSED: {
    status: 422,
    summary: 'The recipient opted out of such messages, or the account suppressed the number.',
  },
  EXPIRES_IN_QUIET_HOURS: {
    status: 422,
    summary:
      'The message is marketing, and would expire before the hours in which the recipient gets marketing. Or no hour suits all time zones in which the recipient may live.',
  },
  INVALID_PHONE_NUMBER: { status: 422, summary: 'A phone number is not possible; the answer names the field.' },
  UPLOAD_NOT_READABLE: { status: 422, summary: 'The file is no table of rows; the answer says what to do.' },
  INVALID_PAYMENT_METHOD: { status: 422, summary: 'This payment method is unknown.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, summary: 'Another request used this client_ref before.' },
  CODE_NOT_ACCEPTED: { status: 422, summary: 'The two-factor code is wrong or was used before.' },
  PASSKEY_NOT_ACCEPTED: { status: 422, summary: 'The passkey is unknown, or it did not ask who the person is.' },
  PASSWORD_NOT_ACCEPTED: { status: 422, summary: 'The password is wrong, or a password alone is not enough.' },
  RATE_LIMITED: { status: 429, summary: 'Too many requests; Retry-After says when to try again.' },
  HEADERS_TOO_LARGE: { status: 431, summary: 'The headers are too long, or there are too many of them.' },
  INTERNAL_ERROR: { status: 500, summary: 'Something broke on our side.' },
  PAYMENT_METHOD_UNAVAILABLE: { status: 501, summary: 'This payment method does not exist yet.' },
  PAYMENT_PROVIDER_ERROR: { status: 502, summary: 'The payment provider did not answer as expected.' },
  SERVICE_UNAVAILABLE: { status: 503, summary: 'A part that this request needs is down.' },
  DEVICE_TIMEOUT: { status: 504, summary: 'The device did not answer in time.' },
} as const satisfies Record<string, { status: number; summary: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

// The catalogue's own keys; Object.keys only knows `string`.
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[];

type ApiErrorOptions = { cause?: unknown; retryAfterSeconds?: number; fault?: FieldFault };

/** The one error that reaches a caller. `message` says what to do next. It never holds a secret or the text of a message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The seconds after which a retry makes sense, for the header Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** The wrong field and its broken rule, for the header X-Invalid-Field. */
  readonly fault: FieldFault | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fault = options.fault;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

export type ErrorEnvelope = { success: false; code: ErrorCode; error: string };
export type SuccessEnvelope<Data> = { success: true; message: string; data: Data };
