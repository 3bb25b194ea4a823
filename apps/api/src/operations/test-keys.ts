/**
 * The bounds of a test key: it sees and changes only devices of a sandbox network and what belongs to them. So a program
 * under test reaches no real person.
 */
import { ApiError, isSandbox, isTestKey, type TestKeys } from '@kurir/contracts';
import { type Database, findOutsideSandbox, readSandboxDevices } from '@kurir/database';
import type { Caller } from './caller.js';

export const byTestKey = ({ by, actor }: Caller): boolean => by === 'key' && isTestKey(actor);

export const outsideSandbox = (what: string): ApiError =>
  new ApiError(
    'KEY_NOT_ALLOWED',
    `This is a test key, which may only use devices of a sandbox network and what belongs to them. ${what} Use a live key, or a device of the network simulator.`,
  );

type Named = {
  readonly caller: Caller | null;
  readonly deviceId: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly query: unknown;
};

/** The fields of bodies and queries that name things of the account. */
const naming = ['deviceId', 'deviceIds', 'webhookId', 'conversationId', 'broadcastId'] as const;

function namedIn(input: unknown): string[] {
  const fields = input as Readonly<Record<string, unknown>> | null | undefined;
  return naming.flatMap((name) => fields?.[name] ?? []).filter((value): value is string => typeof value === 'string');
}

/** Throws if a test key names a thing outside the sandbox. Lists leave such things out (`visibleDevices`). */
export async function requireSandbox(
  database: Database,
  testKeys: TestKeys | undefined,
  { caller, deviceId, params, body, query }: Named,
): Promise<void> {
  if (caller === null || testKeys !== 'sandbox' || !byTestKey(caller)) return;
  const named = [deviceId ?? [], Object.values(params), namedIn(body), namedIn(query)].flat();
  const outside = named.length === 0 ? null : await findOutsideSandbox(database, caller.accountId, named);
  if (outside !== null) throw outsideSandbox(`${outside} is outside the sandbox.`);
}

/** The devices that a list shows to the caller. Null: all. */
export const visibleDevices = async (database: Database, caller: Caller): Promise<readonly string[] | null> =>
  byTestKey(caller) ? readSandboxDevices(database, caller.accountId) : null;

/** `visible` is the answer of `visibleDevices`. A test key does not see what concerns no device. */
export const isVisible = (visible: readonly string[] | null, deviceId: string | null): boolean =>
  visible === null || (deviceId !== null && visible.includes(deviceId));

/** Throws if a test key asks for a device of a real network. */
export function requireSandboxNetwork(caller: Caller, network: string): void {
  if (byTestKey(caller) && !isSandbox(network)) throw outsideSandbox(`The network ${network} reaches real people.`);
}

/** Throws if a test key names no device where that means all. */
export function requireNamedDevices(caller: Caller, deviceIds: readonly string[] | undefined): void {
  if (byTestKey(caller) && deviceIds?.length === 0) throw outsideSandbox('device_ids must name such devices.');
}
