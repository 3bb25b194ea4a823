/** People who attack the account of somebody else, and members who want more than their role. */
import type { AccountId, UserId } from '@kurir/contracts';
import { addMember, type Database } from '@kurir/database';
import { field, Person, someAddress } from '../../src/customers/person.js';
import type { Stack } from '../../src/stack/stack.js';
import { many } from './connection.js';

export const elsewhere = () => ({ 'X-Forwarded-For': someAddress() });

export const newPerson = ({ baseUrl }: Stack) => new Person(baseUrl).signUp();

/** Somebody with another browser who knows the address of the victim. */
export const strangerTo = (victim: Person, { baseUrl }: Stack) => new Person(baseUrl, victim.email);

/** Wrong passwords for the victim, all at the same time, each from another address. Resolves with the statuses. */
export const guessAtOnce = (victim: Person, stack: Stack, count: number): Promise<number[]> =>
  many(count, (i) => strangerTo(victim, stack).signIn(`wrong guess ${i}`, elsewhere()));

export async function accountOf(person: Person): Promise<AccountId> {
  const me = await person.ask('GET', '/app/api/me');
  // The api made the id.
  return String(field(me.body, 'data', 'account', 'account_id')) as AccountId;
}

/** A new member of the owner's account, who has it open. */
export async function newMember(
  owner: Person,
  role: 'developer' | 'viewer',
  { stack, database }: { readonly stack: Stack; readonly database: Database },
): Promise<Person> {
  const member = await newPerson(stack);
  const accountId = await accountOf(owner);
  const me = await member.ask('GET', '/app/api/me');
  // The api made the id.
  const userId = String(field(me.body, 'data', 'user', 'user_id')) as UserId;
  await addMember(database, accountId, userId, role);
  await member.ask('POST', '/app/api/me/account', { account_id: accountId });
  return member;
}
