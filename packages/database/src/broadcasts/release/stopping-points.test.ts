/**
 * A broadcast whose worker or api dies before or after any statement. Somebody else repeats the work. Each statement of
 * planning, starting, releasing, pausing, resuming and finishing is such a point; a commit whose answer is lost is one too.
 */
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../../test/broadcast-fixture.js';
import { useDatabaseFixture } from '../../../test/database-fixture.js';
import { addRecipients } from '../create-broadcast.js';
import { driveBroadcast } from './drive-broadcast.js';

const fixture = useDatabaseFixture();
const { ready, send, broadcast, quota, rows, start, pause, resume } = broadcastsOn(fixture);

const people = 120;
const lives = 50;

afterEach(() => vi.restoreAllMocks());

class Died extends Error {}

/** Runs `work`, which dies at its n-th statement: instead of it, or after it. Returns false if it died. */
async function until(point: number, isAfter: boolean, work: () => Promise<unknown>): Promise<boolean> {
  let statements = 0;
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...given: unknown[]) {
    const call = (...all: unknown[]) => Reflect.apply(query, this, all) as Promise<unknown>;
    const isRollback = given[0] === 'ROLLBACK';
    statements += isRollback ? 0 : 1;
    if (isRollback || statements !== point) return call(...given) as never;
    const died = new Died(`at statement ${point}`);
    // The pool passes a callback; transactions take a promise.
    const answer = given.at(-1);
    if (typeof answer !== 'function')
      return (isAfter ? call(...given).then(() => Promise.reject(died)) : Promise.reject(died)) as never;
    const fail = () => (answer as (error: Error) => void)(died);
    return (isAfter ? call(...given.slice(0, -1), fail) : setImmediate(fail)) as never;
  });
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Died) return false;
    throw error;
  } finally {
    vi.restoreAllMocks();
  }
}

/** Repeats the work with another point each time, until it comes to its end. Returns how often it died. */
async function survive(work: () => Promise<unknown>, isAfter: boolean): Promise<number> {
  for (let point = 1; point < 100; point += 1) if (await until(point, isAfter, work)) return point - 1;
  throw new Error('it never comes to an end');
}

test.each([false, true])(
  'each point of a life, and everybody gets one message (after the statement: %s)',
  async (isAfter) => {
    let deaths = 0;
    for (let life = 0; life < lives / 2; life += 1) {
      const tenant = await fixture().tenant({ quota: people });
      const whose = { accountId: tenant.accountId };
      const { database, accountKeys } = fixture();
      const id = await ready(tenant, []);
      await fixture().query(`UPDATE broadcasts SET state = 'draft' WHERE id = $1`, [id]);
      const list = Array.from({ length: people }, (_, i) => rowOf(numberOf(i), { nama: `Budi ${i}` }));
      deaths += await survive(() => addRecipients(database, accountKeys, { id, ...whose }, 0, list), isAfter);
      await fixture().query(`UPDATE broadcasts SET state = 'ready' WHERE id = $1`, [id]);
      deaths += await survive(() => start(tenant, id), isAfter);
      deaths += await survive(() => driveBroadcast(database, accountKeys, id), isAfter);
      const first = await send(tenant.holder);
      deaths += await survive(() => pause(tenant, id), isAfter);
      expect(await send(tenant.holder)).toEqual([]);
      deaths += await survive(() => resume(tenant, id), isAfter);
      const sent = [...first];
      for (let turns = 0; (await broadcast(id)).state === 'running'; turns += 1) {
        expect(turns).toBeLessThan(200);
        deaths += await survive(() => driveBroadcast(database, accountKeys, id), isAfter);
        sent.push(...(await send(tenant.holder)));
      }
      expect(sent).toHaveLength(people);
      expect(new Set(sent).size).toBe(people);
      expect((await rows(id)).every(({ state }) => state === 2)).toBe(true);
      expect(await quota(tenant.accountId)).toEqual({ taken: people, reserved: 0 });
      expect(await broadcast(id)).toMatchObject({ state: 'finished', reserved: 0 });
    }
    expect(deaths).toBeGreaterThan(20 * (lives / 2));
  },
  300_000,
);
