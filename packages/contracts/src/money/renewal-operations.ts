/** Renewals, and the money that they move. Money is whole rupiah. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';
import { renewal } from './renewal.js';

const renewQuery = z
  .object({
    payment_method: z
      .string()
      .optional()
      .meta({ description: '`ordinary` is the default. `crypto` does not exist yet.', example: 'ordinary' }),
  })
  .transform((query) => ({ paymentMethod: query.payment_method ?? 'ordinary' }));

const ledgerEntry = z.object({
  entry_id: z.string(),
  renewal_id: z.string(),
  /** The invoice of the renewal. Null: it is not paid. */
  invoice_number: z.string().nullable(),
  /** In this order: money came in, it bought a plan, it went back to the payer, or the payer's bank took it back. */
  kind: z.enum(['payment', 'charge', 'refund', 'chargeback']),
  /** Positive if money came in. */
  amount: z.int(),
  provider: z.string(),
  provider_payment: z.string(),
  created_at: timestamp,
});

/** Programs use these with a key, and people unless `access` is null. */
export const renewalOperations = {
  renewAccount: {
    method: 'POST',
    path: '/api/v1/account/renew',
    summary: "Renew the account's latest plan choice. Kurir creates a pending payment and the page to pay it.",
    scope: 'account:renew',
    testKeys: 'never',
    access: 'owner',
    audit: { whose: 'all', actions: ['renewal.requested'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: renewQuery,
    data: z.object({ description: z.string(), payment_url: z.url(), renewal_id: z.string() }),
    message: 'Renewal created',
    errors: [
      'INVALID_REQUEST',
      'NO_PLAN_CHOSEN',
      'REPLAYED_REQUEST',
      'INVALID_PAYMENT_METHOD',
      'PAYMENT_METHOD_UNAVAILABLE',
      'PAYMENT_PROVIDER_ERROR',
      'SERVICE_UNAVAILABLE',
    ],
  },
  getRenewal: {
    method: 'GET',
    path: '/api/v1/account/renewals/{renewal_id}',
    summary: 'Look up one renewal: whether it is pending, paid, expired or cancelled.',
    scope: 'account:read',
    testKeys: 'any',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: renewal,
    message: 'Renewal found',
    errors: ['RENEWAL_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;

/** Only people use these. */
export const renewalOperationsForPeople = {
  listRenewals: {
    method: 'GET',
    path: '/app/api/renewals',
    summary: 'List the renewals, newest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({
      renewals: z.array(renewal.extend({ invoice_number: z.string().nullable() })),
      next_cursor: z.string().nullable(),
    }),
    message: 'Renewals listed',
    errors: [],
  },
  listLedger: {
    method: 'GET',
    path: '/app/api/ledger',
    summary: 'List every movement of money, newest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ entries: z.array(ledgerEntry), next_cursor: z.string().nullable() }),
    message: 'Ledger read',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
