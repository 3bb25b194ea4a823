import { expect, test } from 'vitest';
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
import type { OperationForPeople, OperationEntry } from '../http/operation-entry.js';
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
import {
  operationNamesForPeople,
  operationsForPeople,
  publicOperations,
  operationNames,
  publicOperationNames,
  operationNamesOnlyForPeople,
  operationsOnlyForPeople,
  routeTable,
} from './route-table.js';

/** Every list that the route table puts together. */
const tables = [
  messageOperations,
  messageOperationsForPeople,
  conversationOperations,
  suppressionOperations,
  deviceOperations,
  phoneOperations,
  accountOperations,
  accountOperationsForPeople,
  auditOperations,
  requestOperations,
  memberOperations,
  signInOperations,
  profileOperations,
  keyOperations,
  planOperations,
  planOperationsForPeople,
  renewalOperations,
  renewalOperationsForPeople,
  invoiceOperations,
  operatorOperations,
  gatewayOperations,
  overviewOperations,
  eventOperations,
  eventOperationsForPeople,
  noticeOperations,
  webhookOperations,
  webhookOperationsForPeople,
  templateOperations,
  broadcastOperations,
  contactOperations,
  contactOperationsForPeople,
  uploadOperations,
  importOperations,
];
const routes: readonly OperationForPeople[] = operationNamesOnlyForPeople.map(
  (operation) => operationsOnlyForPeople[operation],
);

test('no list hides an operation of another', () => {
  expect(operationNames).toHaveLength(tables.reduce((sum, table) => sum + Object.keys(table).length, 0));
});

test('a person can use every operation of the public api that names a role', () => {
  const forPeople = publicOperationNames.filter((operation) => publicOperations[operation].access !== null);
  expect(operationNamesForPeople).toEqual([...forPeople, ...operationNamesOnlyForPeople]);
  for (const operation of forPeople) expect(operationsForPeople).toHaveProperty(operation, publicOperations[operation]);
});

test('every path stands under /app/api, once per method', () => {
  const places = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(places).size).toBe(places.length);
  for (const { path } of routes) expect(path).toMatch(/^\/app\/api(\/[a-z]+(\.csv)?|\/\{[a-z_]+\})+$/);
});

test('an operation that needs a confirmation says so, and a GET has no body', () => {
  for (const { confirmed, errors, method, body, summary } of routes) {
    expect(errors.includes('CONFIRMATION_REQUIRED'), summary).toBe(confirmed !== undefined);
    if (method === 'GET') expect(body, summary).toBeNull();
  }
});

test('every change is audited, except for those that nobody would look for later', () => {
  const entryOf = (name: (typeof operationNames)[number]): OperationEntry => routeTable[name];
  const silent = operationNames.filter((name) => entryOf(name).method !== 'GET' && entryOf(name).audit === null);
  expect(silent).toEqual([
    // A message that a key sends is its own record.
    'sendBulk',
    // It stores nothing.
    'chatPresence',
    // It only counts unread messages anew.
    'markConversationRead',
    // The attempt is the record of these two.
    'pingWebhook',
    'resendEvent',
    // It stores nothing.
    'previewTemplate',
    // A draft sends nothing; its start is noted.
    'addBroadcastRecipients',
    'checkBroadcast',
    // It stores nothing.
    'checkContacts',
    // They store only what an import reads, and the import is audited.
    'createUpload',
    'addUploadPart',
    // It changes only the person's own session.
    'switchAccount',
    // The language of the person's own mails.
    'chooseLanguage',
    // These two use the phones of the sandbox.
    'pretendScan',
    'writeFromPhone',
    // It stores nothing.
    'debugSignature',
    // They change only what the person gets and has seen.
    'readNotices',
    'chooseNotices',
    // These two store nothing.
    'debugWebhook',
    'nameContacts',
  ]);
  const read = operationNames.filter((name) => entryOf(name).method === 'GET' && entryOf(name).audit !== null);
  // The first shows a text on request. The others take much away at once.
  expect(read).toEqual([
    'readMessageText',
    'exportBroadcastResults',
    'exportContacts',
    'exportAudit',
    'exportMe',
    'exportAccount',
    'exportMessages',
  ]);
});

test('the paths under /admin are exactly those that need an operator', () => {
  for (const { path, access } of routes) expect(path.startsWith('/app/api/admin/')).toBe(access === 'admin');
});
