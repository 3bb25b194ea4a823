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

/** Where people live about whom nothing but the account is known. */
export type Home = {
  /** ISO 3166. */
  readonly country: string;
  /** A time zone (IANA) of the country. Null: any of them. */
  readonly timeZone: string | null;
};

export const zoneOfCountry = (country: string): Zone => `+${country}`;

/** The time zones (IANA) in which a person of this zone may live. */
export function zoneNames(zone: Zone, { country, timeZone }: Home): readonly string[] {
  if (!zone.startsWith('+')) return zone === '' ? [] : [zone];
  if (zone === zoneOfCountry(country) && timeZone !== null) return [timeZone];
  return [...new Set(zone.slice(1).split('+').flatMap(zonesOfCountry))];
}

type Asked = { readonly accountId: AccountId; readonly recipient: string };
type Row = Asked & { readonly country: string; readonly homeZone: string | null; readonly ownZone: string | null };

/** `names` are the time zones (IANA) of the zone. */
export type Whereabouts = { readonly zone: Zone; readonly names: readonly string[] };
export type WhereaboutsOf = (accountId: AccountId, recipient: string) => Whereabouts;

function zoneOf({ country, recipient, ownZone }: Row): Zone {
  if (ownZone !== null) return ownZone;
  const countries = countriesOf(recipient).filter((one) => zonesOfCountry(one).length > 0);
  return zoneOfCountry(countries.length === 0 ? country : countries.join('+'));
}

/** A recipient whose number tells no country with a known time zone is taken for one of the account's country. */
export async function readWhereabouts(client: pg.PoolClient, asked: readonly Asked[]): Promise<WhereaboutsOf> {
  const nowhere = { zone: '', names: [] };
  if (asked.length === 0) return () => nowhere;
  const { rows } = await client.query<Row>({
    name: 'read-whereabouts',
    text: `SELECT a.id AS "accountId", a.country, a.time_zone AS "homeZone", asked.recipient, c.time_zone AS "ownZone"
           FROM unnest($1::text[], $2::text[]) AS asked (account_id, recipient) JOIN accounts a ON a.id = asked.account_id
           LEFT JOIN contacts c ON c.account_id = asked.account_id AND c.phone = asked.recipient`,
    values: [asked.map(({ accountId }) => accountId), asked.map(({ recipient }) => recipient)],
  });
  const known = new Map(rows.map((row) => [`${row.accountId} ${row.recipient}`, row]));
  return (accountId, recipient) => {
    const row = known.get(`${accountId} ${recipient}`);
    if (row === undefined) return nowhere;
    const zone = zoneOf(row);
    return { zone, names: zoneNames(zone, { country: row.country, timeZone: row.homeZone }) };
  };
}
