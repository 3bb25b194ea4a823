/** The changes of broadcasts that are in the audit log. */
import type { BroadcastId } from '@kurir/contracts';
import { type Audit, noteReading } from '../src/accounts/audit.js';
import { changeBroadcast } from '../src/broadcasts/change-broadcast.js';
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
} from '../src/broadcasts/control-broadcast.js';
import { createBroadcast, type NewBroadcast } from '../src/broadcasts/create-broadcast.js';
import type { World } from './audited-world-fixture.js';
import { broadcastsOn } from './broadcast-fixture.js';
import type { DatabaseFixture, Tenant } from './database-fixture.js';

export type Broadcasts = { readonly [S in 'ready' | 'running' | 'paused']: BroadcastId };

/** A broadcast in each state that matters. */
export async function newBroadcasts(fixture: () => DatabaseFixture, tenant: Tenant): Promise<Broadcasts> {
  const { ready, running, pause, many } = broadcastsOn(fixture);
  const paused = await running(tenant, many(1));
  await pause(tenant, paused);
  return { ready: await ready(tenant, many(1)), running: await running(tenant, many(1)), paused };
}

const draft: Omit<NewBroadcast, 'accountId' | 'deviceIds'> = {
  name: 'Promo',
  category: 'marketing',
  text: { text: 'Halo', footer: null },
  pacePerMinute: null,
  sendAt: null,
  createdBy: 'kk_live_1',
  window: null,
  maxPerDay: null,
  guardFailed: null,
  guardOptedOut: null,
};

export function broadcastChanges(fixture: () => DatabaseFixture, world: () => World) {
  const whose = (state: keyof Broadcasts) => ({ id: world().broadcasts[state], accountId: world().tenant.accountId });
  return {
    'broadcast.created': {
      run: (audit: Audit) => {
        const { database, accountKeys } = fixture();
        const { accountId, deviceId } = world().tenant;
        return createBroadcast(database, accountKeys, { ...draft, accountId, deviceIds: [deviceId] }, audit);
      },
    },
    'broadcast.started': {
      run: (audit: Audit) => startBroadcast(fixture().database, whose('ready'), true, audit),
      subject: () => world().broadcasts.ready,
    },
    'broadcast.paused': {
      run: (audit: Audit) => pauseBroadcast(fixture().database, whose('running'), audit),
      subject: () => world().broadcasts.running,
    },
    'broadcast.resumed': {
      run: (audit: Audit) => resumeBroadcast(fixture().database, whose('paused'), 'pending', audit),
      subject: () => world().broadcasts.paused,
    },
    'broadcast.cancelled': {
      run: (audit: Audit) => cancelBroadcast(fixture().database, whose('running'), audit),
      subject: () => world().broadcasts.running,
    },
    'broadcast.changed': {
      run: (audit: Audit) => changeBroadcast(fixture().database, whose('ready'), { name: 'Promo 2' }, audit),
      subject: () => world().broadcasts.ready,
    },
    'broadcast.exported': {
      run: (audit: Audit) => noteReading(fixture().database, audit),
      subject: () => null,
      reads: true as const,
    },
  };
}
