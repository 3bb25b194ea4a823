/**
 * Accounts whose phone links a companion only with the account's passkey. Instead of an identity, the server sends the
 * companion a request for the passkey. A client that cannot answer it is never linked. The shapes come from
 * tulir/whatsmeow `pair-passkey.go` and vinikjkkj/zapo `WaShortcakeFlow.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { PasskeyDemand } from '../devices/account.js';
import type { Candidate } from './candidate.js';
import { serverNotification } from '../wire/server-stanza.js';
import { type Stanza, stanza } from '../wire/stanza.js';

export const usualDemand: PasskeyDemand = { as: 'passkey_prologue_request', times: 1, handoff: false };

export function demandPasskey({ connection }: Candidate, { as, times }: PasskeyDemand): void {
  const demand = as === 'passkey_prologue_request' ? prologueRequest() : continuation();
  for (let sent = 0; sent < times; sent += 1) connection.send(demand);
}

export function passkeyMissing(): Error {
  return new Error('this account links a companion only with its passkey');
}

function prologueRequest(): Stanza {
  const options = {
    challenge: randomBytes(32).toString('base64url'),
    timeout: 60_000,
    rpId: 'whatsapp.com',
    allowCredentials: [],
    userVerification: 'required',
  };
  return serverNotification('passkey_prologue_request', [
    stanza('passkey_request_options', {}, Buffer.from(JSON.stringify(options))),
  ]);
}

function continuation(): Stanza {
  return serverNotification('crsc_continuation', [stanza('primary_ephemeral_identity', {}, randomBytes(70))]);
}
