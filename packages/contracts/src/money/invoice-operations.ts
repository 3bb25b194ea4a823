/** Invoices, one for each paid renewal, and the buyer on them. Only people use these. */
import { z } from 'zod';
import { languages } from '../fields/language.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { timestamp } from '../fields/timestamp.js';
import { brokenRule } from '../http/field-rules.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';
import { paymentMethods } from './payment-method.js';

const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const hiddenInLines = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/u;

const notOneLine = { message: 'must be one line of text', params: brokenRule('characters') };
const notLines = { message: 'must be lines of text', params: brokenRule('characters') };

/** An empty text means that the detail is taken away. */
const detail = (maxLength: number, hidden: RegExp, refusal: typeof notOneLine) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !hidden.test(text), refusal)
    .refine(isStorableText, notStorable)
    .transform((text) => (text === '' ? null : text))
    .nullable();

const party = z.object({
  name: z.string().nullable(),
  tax_number: z.string().nullable(),
  address: z.string().nullable(),
});

const invoice = z.object({
  /** The renewal's id. */
  invoice_id: z.string(),
  number: z.string().meta({ example: 'KRR-20261121-9HBE' }),
  account_name: z.string(),
  /** The details of the account on the day of the payment. */
  billed_to: party,
  plan: z.string(),
  duration_days: z.int(),
  quota: z.int().nullable(),
  amount: z.int(),
  /** Null: the provider did not tell it. */
  method: z.enum(paymentMethods).nullable(),
  provider: z.string(),
  provider_payment: z.string(),
  paid_at: timestamp,
  period_start: timestamp,
  period_end: timestamp,
});

export const invoiceOperations = {
  listInvoices: {
    method: 'GET',
    path: '/app/api/invoices',
    summary: 'List the invoices, one for each paid renewal, newest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({
      invoices: z.array(invoice),
      next_cursor: z.string().nullable(),
      /** The operator of the gateway, who sells its plans. */
      seller: party,
    }),
    message: 'Invoices listed',
    errors: [],
  },
  downloadInvoice: {
    method: 'GET',
    path: '/app/api/invoices/{invoice_id}/pdf',
    summary: 'Download one invoice as PDF.',
    access: 'viewer',
    audit: null,
    body: null,
    query: z.object({ language: z.enum(languages).default('id') }),
    answers: 'file',
    data: z.string(),
    message: 'Invoice written',
    errors: ['RENEWAL_NOT_FOUND'],
  },
  readInvoiceDetails: {
    method: 'GET',
    path: '/app/api/invoices/details',
    summary: 'Show the name, tax number and address for the invoices of the account.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: party,
    message: 'Invoice details found',
    errors: [],
  },
  setInvoiceDetails: {
    method: 'PUT',
    path: '/app/api/invoices/details',
    summary: 'Set the name, tax number and address for later invoices. Paid ones keep theirs.',
    access: 'owner',
    audit: { whose: 'all', actions: ['account.invoice_details_changed'] },
    body: z.strictObject({
      name: detail(limits.invoiceNameMaxLength, lineEnds, notOneLine),
      tax_number: detail(limits.invoiceTaxNumberMaxLength, lineEnds, notOneLine),
      address: detail(limits.invoiceAddressMaxLength, hiddenInLines, notLines),
    }),
    query: null,
    data: party,
    message: 'Invoice details changed',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
