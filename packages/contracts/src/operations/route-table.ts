/**
 * The one table of operations. Add an operation to the list of its room (`messages/message-operations.ts`, …). The compiler
 * then asks for its handler in the api.
 * - Public api: the compiler also asks for its method in the client. The tenant and error tests fail until they cover it.
 * - For people: the compiler also asks for a call in the api's `test/dashboard-calls.ts`.
 */
import type { z } from 'zod';
import { accountOperations, accountOperationsForPeople } from '../accounts/account-operations.js';
import { auditOperations } from '../accounts/audit-operations.js';
import { memberOperations } from '../accounts/member-operations.js';
import { profileOperations } from '../accounts/profile-operations.js';
import { signInOperations } from '../accounts/sign-in-operations.js';
import { broadcastOperations } from '../broadcasts/broadcast-operations.js';
import { conversationOperations } from '../conversations/conversation-operations.js';
import { contactOperations, contactOperationsForPeople } from '../contacts/contact-operations.js';
import { importOperations } from '../contacts/import-operations.js';
import { deviceOperations } from '../devices/device-operations.js';
import { phoneOperations } from '../sandbox/phone-operations.js';
import { eventOperations, eventOperationsForPeople } from '../events/event-operations.js';
import { keyOperations } from '../keys/key-operations.js';
import { messageOperations, messageOperationsForPeople } from '../messages/message-operations.js';
import { noticeOperations } from '../notices/notice-operations.js';
import { planOperations, planOperationsForPeople } from '../money/plan-operations.js';
import { invoiceOperations } from '../money/invoice-operations.js';
import { renewalOperations, renewalOperationsForPeople } from '../money/renewal-operations.js';
import { operatorOperations } from '../operators/operator-operations.js';
import { gatewayOperations } from '../operators/gateway-operations.js';
import { overviewOperations } from '../reports/overview-operations.js';
import { requestOperations } from '../requests/request-operations.js';
import { templateOperations } from '../templates/template-operations.js';
import { suppressionOperations } from '../suppressions/suppression-operations.js';
import { uploadOperations } from '../uploads/upload-operations.js';
import { webhookOperations, webhookOperationsForPeople } from '../webhooks/webhook-operations.js';

/** The operations of the public api: for keys, and for people unless `access` is null. */
export const publicOperations = {
  ...messageOperations,
  ...renewalOperations,
  ...deviceOperations,
  ...accountOperations,
  ...planOperations,
  ...conversationOperations,
  ...suppressionOperations,
  ...eventOperations,
  ...webhookOperations,
  ...templateOperations,
  ...broadcastOperations,
  ...contactOperations,
  ...uploadOperations,
  ...importOperations,
  ...auditOperations,
  ...requestOperations,
} as const;

/** The operations that only people use. Their session is a cookie; a change must come from the dashboard's own origin. */
export const operationsOnlyForPeople = {
  ...signInOperations,
  ...profileOperations,
  ...accountOperationsForPeople,
  ...memberOperations,
  ...phoneOperations,
  ...messageOperationsForPeople,
  ...keyOperations,
  ...overviewOperations,
  ...planOperationsForPeople,
  ...renewalOperationsForPeople,
  ...invoiceOperations,
  ...operatorOperations,
  ...gatewayOperations,
  ...eventOperationsForPeople,
  ...noticeOperations,
  ...webhookOperationsForPeople,
  ...contactOperationsForPeople,
} as const;

/** All operations. A name that stands in two lists would hide one of them; route-table.test.ts sees that. */
export const routeTable = { ...publicOperations, ...operationsOnlyForPeople } as const;

// Only programs send a bulk.
const { sendBulk: _onlyForKeys, ...forPeopleToo } = publicOperations;

/** The operations that people can use. */
export const operationsForPeople = { ...forPeopleToo, ...operationsOnlyForPeople } as const;

export type PublicOperationName = keyof typeof publicOperations;
export type OperationNameOnlyForPeople = keyof typeof operationsOnlyForPeople;
export type OperationName = keyof typeof routeTable;
export type OperationNameForPeople = keyof typeof operationsForPeople;

// The tables' own keys; Object.keys only knows `string`.
export const publicOperationNames = Object.keys(publicOperations) as readonly PublicOperationName[];
export const operationNamesOnlyForPeople = Object.keys(
  operationsOnlyForPeople,
) as readonly OperationNameOnlyForPeople[];
export const operationNames = Object.keys(routeTable) as readonly OperationName[];
export const operationNamesForPeople = Object.keys(operationsForPeople) as readonly OperationNameForPeople[];

type Parsed<S> = S extends z.ZodType ? z.output<S> : null;
type Given<S> = S extends z.ZodType ? z.input<S> : null;

export type BodyOf<O extends PublicOperationName> = Parsed<(typeof publicOperations)[O]['body']>;
export type QueryOf<O extends PublicOperationName> = Parsed<(typeof publicOperations)[O]['query']>;
export type DataOf<O extends PublicOperationName> = z.output<(typeof publicOperations)[O]['data']>;

export type OperationBody<O extends OperationName> = Parsed<(typeof routeTable)[O]['body']>;
export type OperationQuery<O extends OperationName> = Parsed<(typeof routeTable)[O]['query']>;
export type OperationData<O extends OperationName> = z.output<(typeof routeTable)[O]['data']>;

export type DashboardData<O extends OperationNameForPeople> = z.output<(typeof operationsForPeople)[O]['data']>;
/** The body as the browser sends it, before the api parses it. */
export type DashboardBodyInput<O extends OperationNameForPeople> = Given<(typeof operationsForPeople)[O]['body']>;
export type DashboardQueryInput<O extends OperationNameForPeople> = Given<(typeof operationsForPeople)[O]['query']>;
