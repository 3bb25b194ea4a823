/** The members of a suspended account change nothing, except by the operations of a list. */
import { memberRoles, operationNamesForPeople, operationsForPeople } from '@kurir/contracts/dashboard';
import type { OperationForPeople } from '@kurir/contracts/dashboard';
import { resumeAccount, suspendAccount } from '@kurir/database/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardCalls, nobody } from '../../test/dashboard-calls.js';
import { type Person, signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

type Route = Pick<OperationForPeople, 'method' | 'whileSuspended'> & { readonly access: string | null };
const routeOf = (operation: (typeof operationNamesForPeople)[number]): Route => operationsForPeople[operation];

const changing = operationNamesForPeople.filter((operation) => {
  const { method, access } = routeOf(operation);
  return method !== 'GET' && memberRoles.some((role) => role === access);
});
const free = [
  'cancelMessage',
  'cancelMessages',
  'checkContacts',
  'chooseNotices',
  'debugSignature',
  'debugWebhook',
  'eraseAccount',
  'leaveAccount',
  'nameContacts',
  'previewTemplate',
  'readNotices',
  'removeMember',
  'revokeKey',
];

let t: TestApi;
let owner: Person;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  owner = await signUp(t.url);
  await suspendAccount(t.database, owner.accountId, 'Reported.');
});
afterAll(() => t.close());

test.each(changing)('%s', async (operation) => {
  const { body } = await owner.browser.call(operation, dashboardCalls[operation](nobody));
  if (free.includes(operation)) expect(body.code).not.toBe('ACCOUNT_SUSPENDED');
  else expect(body.code).toBe('ACCOUNT_SUSPENDED');
});

test('the marks of the route table are this list', () => {
  expect(operationNamesForPeople.filter((operation) => routeOf(operation).whileSuspended === true).sort()).toEqual(
    free,
  );
});

test('a change is refused from the suspension on until its end', async () => {
  const other = await signUp(t.url);
  const call = () => other.browser.call('createKey', dashboardCalls.createKey(nobody));
  expect((await call()).body.code).toBeUndefined();
  await suspendAccount(t.database, other.accountId, 'Reported.');
  expect((await call()).body.code).toBe('ACCOUNT_SUSPENDED');
  await resumeAccount(t.database, other.accountId);
  expect((await call()).body.code).toBeUndefined();
});
