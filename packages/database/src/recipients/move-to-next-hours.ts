/**
 * Waiting marketing whose hours are over waits for the next hours of its recipient. No claim takes it meanwhile. Several
 * workers may do this at once: they find the same hours. A message that gets another window meanwhile is left for the next
 * run, because its hours were found for the earlier window.
 */
import { type AccountId, type MessageId, type SendWindow, usualWindow } from '@kurir/contracts';
import type pg from 'pg';
import { type Home, hoursOfBegins, openHours, readWhereabouts, zoneNames, zoneOfCountry } from './recipient-hours.js';
import { type Database, inTransaction } from '../postgres/connect.js';

const batchSize = 2_000;

type Closed = Home & {
  readonly id: MessageId;
  readonly accountId: AccountId;
  readonly recipient: string;
  readonly closedAt: Date;
  /** Null: the message belongs to no broadcast. */
  readonly broadcastId: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly zone: SendWindow['zone'] | null;
};

async function readClosed(client: pg.PoolClient): Promise<Closed[]> {
  const { rows } = await client.query<Closed>({
    name: 'read-closed-messages',
    text: `SELECT m.id, m.account_id AS "accountId", m.recipient, a.country, a.time_zone AS "timeZone",
             m.window_closes_at AS "closedAt", b.id AS "broadcastId",
             b.window_from AS "from", b.window_to AS "to", b.window_zone AS zone
           FROM (SELECT id, account_id, recipient, broadcast_id, window_closes_at FROM messages WHERE stage = 0 AND window_closes_at <= now()
                 ORDER BY window_closes_at LIMIT ${batchSize}) m
           JOIN accounts a ON a.id = m.account_id LEFT JOIN broadcasts b ON b.id = m.broadcast_id`,
  });
  return rows;
}

/** Null: at any hour. */
function windowOf({ broadcastId, from, to, zone }: Closed): SendWindow | null {
  if (broadcastId === null) return usualWindow;
  return from === null || to === null || zone === null ? null : { from, to, zone };
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** If no hour fits all zones, it is looked at again in a day. */
const never = (now: Date) => ({
  opensAt: new Date(now.getTime() + dayMs),
  closesAt: new Date(now.getTime() + dayMs + minuteMs),
});

/** Returns how many moved. */
export function moveToNextHours({ pool }: Database): Promise<number> {
  return inTransaction(pool, async (client) => {
    const closed = await readClosed(client);
    if (closed.length === 0) return 0;
    const whereaboutsOf = await readWhereabouts(client, closed);
    const now = new Date();
    const next = closed.map((row) => {
      const window = windowOf(row);
      if (window === null) return null;
      const names =
        window.zone === 'account'
          ? zoneNames(zoneOfCountry(row.country), row)
          : whereaboutsOf(row.accountId, row.recipient).names;
      return openHours(names, hoursOfBegins(window), now) ?? never(now);
    });
    const { rowCount } = await client.query({
      name: 'move-to-next-hours',
      text: `WITH next AS (SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[]) AS t (id, opens_at, closes_at, closed_at)),
             locked AS MATERIALIZED (
               SELECT m.id FROM messages m WHERE m.id IN (SELECT id FROM next) ORDER BY m.id FOR NO KEY UPDATE)
             UPDATE messages m SET window_opens_at = next.opens_at, window_closes_at = next.closes_at,
               waits_until = CASE WHEN m.waits_until = 'infinity' THEN m.waits_until
                 ELSE greatest(m.send_at, m.held_until, next.opens_at, now()) END
             FROM next JOIN locked USING (id) WHERE m.id = next.id AND m.stage = 0 AND m.window_closes_at = next.closed_at`,
      values: [
        closed.map(({ id }) => id),
        next.map((hours) => hours?.opensAt ?? null),
        next.map((hours) => hours?.closesAt ?? null),
        closed.map(({ closedAt }) => closedAt),
      ],
    });
    return rowCount ?? 0;
  });
}
