/** The changes of devices that are in the audit log. */
import type { Audit } from '../src/accounts/audit.js';
import { createDevice } from '../src/devices/create-device.js';
import { deleteDevice } from '../src/devices/delete-device.js';
import { changeDevice } from '../src/devices/device-settings.js';
import { requestLink, requestLinkCancel, requestUnlink } from '../src/devices/devices.js';
import { requestReconnect } from '../src/sessions/contested-devices.js';
import { requestForgetSessions } from '../src/sessions/forget-sessions.js';
import type { World } from './audited-world-fixture.js';
import { type DatabaseFixture, sealer } from './database-fixture.js';

export const deviceChanges = (fixture: () => DatabaseFixture, world: () => World) => ({
  'device.created': {
    run: (audit: Audit) =>
      createDevice(fixture().database, { accountId: world().tenant.accountId, name: 'n', network: 'simulator' }, audit),
  },
  'device.changed': {
    run: (audit: Audit) =>
      changeDevice(fixture().database, sealer, world().tenant.accountId, world().unlinked, { pacePerMinute: 7 }, audit),
    subject: () => world().unlinked,
  },
  'device.deleted': {
    run: (audit: Audit) => deleteDevice(fixture().database, world().tenant.accountId, world().unlinked, audit),
    subject: () => world().unlinked,
  },
  'device.link_requested': {
    run: (audit: Audit) =>
      requestLink(
        fixture().database,
        world().tenant.accountId,
        world().unlinked,
        { method: 'qr', phoneNumber: null },
        audit,
      ),
    subject: () => world().unlinked,
  },
  'device.link_cancelled': {
    run: (audit: Audit) => requestLinkCancel(fixture().database, world().tenant.accountId, world().pairing, audit),
    subject: () => world().pairing,
  },
  'device.reconnect_requested': {
    run: (audit: Audit) => requestReconnect(fixture().database, world().tenant.accountId, world().contested, audit),
    subject: () => world().contested,
  },
  'device.unlink_requested': {
    run: (audit: Audit) => requestUnlink(fixture().database, world().tenant.accountId, world().tenant.deviceId, audit),
    subject: () => world().tenant.deviceId,
  },
  'device.forget_sessions_requested': {
    run: (audit: Audit) => requestForgetSessions(fixture().database, { deviceId: world().tenant.deviceId }, audit),
    subject: () => world().tenant.deviceId,
  },
});
