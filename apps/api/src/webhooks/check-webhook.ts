/** Checks what only the gateway knows: which addresses it calls, and which devices the account has. */
import { type AccountId, ApiError } from '@kurir/contracts';
import { type AddressPolicy, problemOfUrl, type UrlProblem } from '@kurir/address-guard/called-url';
import { readUnknownDevices } from '@kurir/database/webhooks';
import type { Api } from '../operations/api.js';

const sentences: Readonly<Record<UrlProblem, string>> = {
  malformed: 'url: must be an address like https://shop.example.com/kurir, without spaces.',
  protocol: 'url: must begin with https:// or http://.',
  credentials: 'url: must have no user name and no password. Check the signature of each delivery instead.',
  fragment: 'url: must have no fragment. Leave out # and what follows.',
  port: 'url: must have the port 80, 443 or one above 1023.',
  private_address: 'url: must have a public address. For a program on your own machine, use kurir listen, or a tunnel.',
};

export function requireCallableUrl({ webhookAddresses }: { webhookAddresses: AddressPolicy }, url: string): void {
  const problem = problemOfUrl(url, webhookAddresses);
  if (problem !== null) throw new ApiError('WEBHOOK_URL_NOT_ALLOWED', sentences[problem]);
}

export async function requireOwnDevices(
  { database }: Pick<Api, 'database'>,
  accountId: AccountId,
  deviceIds: readonly string[],
): Promise<void> {
  const [unknown] = await readUnknownDevices(database, accountId, deviceIds);
  if (unknown === undefined) return;
  const place = deviceIds.indexOf(unknown);
  throw new ApiError('INVALID_REQUEST', `device_ids[${place}]: must be the id of a device of this account.`);
}
