/**
 * The hours in which a recipient gets marketing. A contact may have a time zone; else the number tells one or more
 * countries, and the hours must fit all of their zones.
 */
import type { AccountId } from '@kurir/contracts';
import { countriesOf, zonesOfCountry } from '@kurir/phone-numbers';
import type pg from 'pg';
import { createOpenHours, type Hours } from './open-hours.js';

// Without the zones of countries, nobody could get marketing.
if (zonesOfCountry('ID').length === 0) throw new Error('this version of Node.js knows no time zones of countries');

/** A try and its repeats take this long at most. So no message begins later than this before the end. */
const lastBegins = 3;

export const hoursOfBegins = ({ from, to }: Hours): Hours => ({ from, to: Math.max(from + 1, to - lastBegins) });

export const openHours = createOpenHours();

/** Over `messages m`: it may begin now. */
export const isInHours = `(m.window_closes_at IS NULL OR (m.window_opens_at <= now() AND m.window_closes_at > now()))`;

/** Over `messages m` that is being tried: another try would come too late in the day. */
export const triesAreOver = `coalesce(m.window_closes_at + interval '2 minutes' <= now(), false)`;

/** `+ID` for the zones of countries, or the name of one zone. Empty: unknown, so no hour is open. */
export type Zone = string;
export type ZoneOf = (accountId: AccountId, recipient: string) => Zone;

export const zoneOfCountry = (country: string): Zone => `+${country}`;

export function zoneNames(zone: Zone): readonly string[] {
  if (!zone.startsWith('+')) return zone === '' ? [] : [zone];
  return [...new Set(zone.slice(1).split('+').flatMap(zonesOfCountry))];
}

type Asked = { readonly accountId: AccountId; readonly recipient: string };

/** A recipient whose number tells no country with a known time zone is taken for one of the account's country. */
export async function readZones(client: pg.PoolClient, asked: readonly Asked[]): Promise<ZoneOf> {
  if (asked.length === 0) return () => '';
  const { rows } = await client.query<Asked & { country: string; timeZone: string | null }>({
    name: 'read-zones',
    text: `SELECT a.id AS "accountId", a.country, asked.recipient, c.time_zone AS "timeZone"
           FROM unnest($1::text[], $2::text[]) AS asked (account_id, recipient) JOIN accounts a ON a.id = asked.account_id
           LEFT JOIN contacts c ON c.account_id = asked.account_id AND c.phone = asked.recipient`,
    values: [asked.map(({ accountId }) => accountId), asked.map(({ recipient }) => recipient)],
  });
  const known = new Map(rows.map((row) => [`${row.accountId} ${row.recipient}`, row]));
  return (accountId, recipient) => {
    const row = known.get(`${accountId} ${recipient}`);
    if (row === undefined) return '';
    if (row.timeZone !== null) return row.timeZone;
    const countries = countriesOf(recipient).filter((country) => zonesOfCountry(country).length > 0);
    return zoneOfCountry(countries.length === 0 ? row.country : countries.join('+'));
  };
}
