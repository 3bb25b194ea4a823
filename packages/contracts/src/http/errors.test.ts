import { describe, expect, test } from 'vitest';
import {
  operationNamesForPeople,
  operationsForPeople,
  publicOperations,
  publicOperationNames,
} from '../operations/route-table.js';
import { ApiError, errorCatalogue, errorCodes } from './errors.js';
import type { OperationForPeople, PublicOperation } from './operation-entry.js';
import { bodyErrors, commonErrors, dashboardErrors } from './request-errors.js';

/** The codes of the specification (contract.md, section 2) and those that were added for keys. */
const contract = {
  400: ['MALFORMED_REQUEST'],
  401: ['MISSING_CREDENTIALS', 'INVALID_API_KEY', 'INVALID_SIGNATURE', 'TIMESTAMP_OUT_OF_RANGE'],
  402: ['PLAN_EXPIRED', 'QUOTA_EXHAUSTED'],
  403: ['KEY_NOT_ALLOWED'],
  404: [
    'NOT_FOUND',
    'DEVICE_NOT_FOUND',
    'JOB_NOT_FOUND',
    'CONVERSATION_NOT_FOUND',
    'CONTACT_NOT_FOUND',
    'UPLOAD_NOT_FOUND',
    'IMPORT_NOT_FOUND',
    'NO_PLAN_CHOSEN',
    'WEBHOOK_NOT_FOUND',
    'EVENT_NOT_FOUND',
    'TEMPLATE_NOT_FOUND',
    'BROADCAST_NOT_FOUND',
  ],
  405: ['METHOD_NOT_ALLOWED'],
  409: [
    'DEVICE_NOT_CONNECTED',
    'DEVICE_LIMIT_REACHED',
    'KEY_LIMIT_REACHED',
    'UPLOAD_LIMIT_REACHED',
    'UPLOAD_NOT_READY',
    'IMPORT_LIMIT_REACHED',
    'IMPORT_ENDED',
    'WEBHOOK_LIMIT_REACHED',
    'WEBHOOK_DISABLED',
    'TEMPLATE_NAME_TAKEN',
    'TEMPLATE_CHANGED',
    'BROADCAST_STATE',
    'DEVICE_ALREADY_LINKED',
    'DEVICE_NOT_LINKED',
    'DEVICE_NOT_PAIRING',
    'DEVICE_IN_USE',
    'REPLAYED_REQUEST',
    'JOB_NOT_CANCELLABLE',
  ],
  410: ['CURSOR_EXPIRED'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: [
    'INVALID_REQUEST',
    'WEBHOOK_URL_NOT_ALLOWED',
    'RECIPIENT_SUPPRESSED',
    'EXPIRES_IN_QUIET_HOURS',
    'INVALID_PHONE_NUMBER',
    'UPLOAD_NOT_READABLE',
    'INVALID_PAYMENT_METHOD',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  429: ['RATE_LIMITED'],
  431: ['HEADERS_TOO_LARGE'],
  500: ['INTERNAL_ERROR'],
  501: ['PAYMENT_METHOD_UNAVAILABLE'],
  502: ['PAYMENT_PROVIDER_ERROR'],
  503: ['SERVICE_UNAVAILABLE'],
  504: ['DEVICE_TIMEOUT'],
};

/** The codes of the dashboard. */
const dashboard = {
  401: ['SESSION_REQUIRED'],
  403: ['ACCOUNT_SUSPENDED', 'ROLE_NOT_ALLOWED', 'CONFIRMATION_REQUIRED', 'CROSS_SITE_REQUEST'],
  404: [
    'ACCOUNT_NOT_FOUND',
    'KEY_NOT_FOUND',
    'PLAN_NOT_FOUND',
    'RENEWAL_NOT_FOUND',
    'MEMBER_NOT_FOUND',
    'INVITATION_NOT_FOUND',
    'EMAIL_CHANGE_NOT_FOUND',
  ],
  409: [
    'JOB_NOT_RETRYABLE',
    'NOT_IN_SANDBOX',
    'ALREADY_MEMBER',
    'ALREADY_OWNER',
    'LAST_OWNER',
    'PLAN_NAME_TAKEN',
    'TWO_FACTOR_OFF',
  ],
  421: ['MISDIRECTED_REQUEST'],
  422: ['CODE_NOT_ACCEPTED', 'PASSKEY_NOT_ACCEPTED', 'PASSWORD_NOT_ACCEPTED'],
};

const named = [...Object.entries(contract), ...Object.entries(dashboard)];

describe('the catalogue', () => {
  test.each(named.flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)))(
    '%s has the status %i, as the contract says',
    (code, status) => {
      expect(errorCatalogue).toHaveProperty(code, expect.objectContaining({ status }));
    },
  );

  test('has every code of the contract and no other', () => {
    expect([...errorCodes].sort()).toEqual(named.flatMap(([, codes]) => codes).sort());
  });

  test('has only codes that some operation or path can refuse with', () => {
    const outsideOperations = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'];
    const answered = new Set<string>([...commonErrors, ...outsideOperations, ...dashboardErrors, ...bodyErrors]);
    for (const operation of publicOperationNames)
      for (const code of (publicOperations[operation] as PublicOperation).errors) answered.add(code);
    for (const operation of operationNamesForPeople)
      for (const code of (operationsForPeople[operation] as OperationForPeople).errors) answered.add(code);
    expect(errorCodes.filter((code) => !answered.has(code))).toEqual([]);
  });
});

test('an ApiError has the status of its code and keeps its cause', () => {
  const cause = new Error('below');
  const error = new ApiError('RATE_LIMITED', 'Wait.', { cause, retryAfterSeconds: 3 });
  expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', message: 'Wait.', cause, retryAfterSeconds: 3 });
});
