/** The devices that reports come from. */
import { type DeviceId, isNetwork, type Network, type OptOutSettings, usualOptOut } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import type { Place } from './find-conversation.js';

export type InboundPlace = Place & { readonly network: Network; readonly optOut: OptOutSettings };

type PlaceRow = Place & {
  readonly network: string;
  readonly country: string;
  readonly optOut: OptOutSettings | null;
};

/** Where the devices are. A device that is deleted, or whose account is being erased, has no place. */
export async function readPlaces(
  { pool }: Database,
  deviceIds: readonly DeviceId[],
): Promise<Map<DeviceId, InboundPlace>> {
  const { rows } = await pool.query<PlaceRow>({
    name: 'read-places-of-devices',
    text: `SELECT d.id AS "deviceId", d.account_id AS "accountId", d.network, a.country, a.opt_out AS "optOut"
           FROM devices d JOIN accounts a ON a.id = d.account_id
           WHERE d.id = ANY ($1::text[]) AND d.deleted_at IS NULL AND a.erasure_begun_at IS NULL`,
    values: [[...new Set(deviceIds)]],
  });
  return new Map(
    rows.flatMap(({ network, country, optOut, ...place }): [DeviceId, InboundPlace][] =>
      isNetwork(network) ? [[place.deviceId, { ...place, network, optOut: optOut ?? usualOptOut(country) }]] : [],
    ),
  );
}
