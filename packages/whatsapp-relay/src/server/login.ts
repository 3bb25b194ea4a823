/**
 * A linked companion logs in. The server refuses it, or sends `<success/>`, then the waiting stanzas, then their
 * number. It tells an older connection of the same device that it was replaced. Baileys emits its events only after
 * `<ib><offline count/></ib>`.
 */
import type { Connection } from '../wire/connection.js';
import type { Device } from '../devices/account.js';
import type { LoginFailure } from '../switchboard/faults.js';
import { writeJid } from '../wire/jid.js';
import type { ClientPayload } from '../wire/protobuf.js';
import { stanza, timestamp } from '../wire/stanza.js';
import { streamEndStanza } from '../wire/stream-end.js';
import type { Switchboard } from '../switchboard/switchboard.js';

type Login = Extract<ClientPayload, { kind: 'login' }>;

/** Returns the device that is logged in now, or null if the server refused it. */
export function logIn(board: Switchboard, connection: Connection, login: Login): Device | null {
  const device = board.accounts.findDevice(accountAddress(login));
  const failure = board.faults.loginFailures.take(login.user) ?? reasonToRefuse(board, login, device);
  const name = `${login.user}:${login.device}`;
  board.journal.record({ kind: 'login', device: name, refused: failure ? String(failure.reason) : null });
  if (failure || !device) {
    connection.end(stanza('failure', failureAttributes(failure ?? { reason: 401 })));
    return null;
  }
  if (device.connection && !board.faults.takeoverFaults.take(login.user))
    device.connection.end(streamEndStanza('replaced'));
  device.connection = connection;
  welcome(device, connection);
  return device;
}

function reasonToRefuse(board: Switchboard, { appVersion }: Login, device: Device | undefined): LoginFailure | null {
  if (!board.minimumVersion.admits(appVersion)) return { reason: 405 };
  return device ? null : { reason: 401 };
}

/** Refuses a registering client whose version is too old, before it gets a code. Returns whether it did. */
export function refuseOldClient(board: Switchboard, connection: Connection, { appVersion }: ClientPayload): boolean {
  if (board.minimumVersion.admits(appVersion)) return false;
  connection.end(stanza('failure', failureAttributes({ reason: 405 })));
  return true;
}

function accountAddress(login: { readonly user: string; readonly device: number }): string {
  return writeJid(login.user, 's.whatsapp.net', login.device);
}

function welcome(device: Device, connection: Connection): void {
  const lid = writeJid(device.account.lid, 'lid', device.id);
  connection.send(stanza('success', { t: timestamp(), lid, props: '0', companion_enc_static: 'NULL' }));
  device.deliverBacklog();
}

function failureAttributes(failure: LoginFailure): Record<string, string> {
  const attributes = { reason: String(failure.reason), location: 'relay' };
  if (failure.reason !== 402) return attributes;
  return { ...attributes, code: String(failure.code), expire: String(failure.expireSeconds) };
}
