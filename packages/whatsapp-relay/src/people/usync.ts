/**
 * User synchronisation: is this number on WhatsApp, which devices does it have, what is its LID? The answer lists each
 * user with the facts that the query asks for. Its `<result>` says which protocols failed, and how long to wait (zapo
 * `builders/usync.ts`).
 * The server knows the LID of every account. Baileys 7.0.0-rc14 fetches pre-keys by LID only, so a send fails without
 * it. Companions need `key-index`, or clients ignore them.
 */
import { type Account, accountJid } from '../devices/account.js';
import type { UsyncFault } from '../switchboard/faults.js';
import { parseJid } from '../wire/jid.js';
import { participantHash } from '../wire/participant-hash.js';
import { bytes, child, children, serverJid, type Stanza, stanza } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

export type UsyncAnswer = { readonly answer: readonly Stanza[]; readonly about: readonly string[] };

/** A user of the query, and the account that it names. */
type Asked = {
  readonly account: Account | undefined;
  /** The addresses of the user in the answer. */
  readonly attrs: Readonly<Record<string, string>>;
  /** The number as the query has it; null when the query names the user by address. */
  readonly written: string | null;
};

/** The form of a phone number: a country code and a subscriber's number, at most as long as E.164 allows. */
const numberForm = /^[1-9]\d{6,14}$/;

export function answerUsync(board: Switchboard, request: Stanza, fault: UsyncFault | null = null): UsyncAnswer {
  const usync = child(request, 'usync');
  const protocols = children(child(usync, 'query'));
  const asked = children(child(usync, 'list'), 'user').map((user) => findUser(board, user, protocols));
  // If the lookup of numbers fails, the server does not know the users that the query names by number.
  const known = asked.filter(({ written }) => written === null || !failsWhole(fault, 'contact'));
  const users = known.map((user) =>
    stanza(
      'user',
      user.attrs,
      protocols.flatMap(({ tag }) => answerProtocol(tag, user, fault)),
    ),
  );
  const results = protocols.map(({ tag }) =>
    stanza(tag, {}, fault && failsWhole(fault, tag) ? [errorOf(fault)] : undefined),
  );
  const attrs = { sid: usync?.attrs['sid'] ?? '', mode: 'query', last: 'true', index: '0' };
  return {
    answer: [stanza('usync', attrs, [stanza('result', {}, results), stanza('list', {}, users)])],
    about: asked.map(({ account, written, attrs: { jid = '' } }) => account?.number ?? written ?? jid),
  };
}

/**
 * A query names a user by address, or by a phone number in a `<contact>`. The answer has the server's own form of the
 * number, which differs from the dialled one in some countries. `addressing_mode` asks for the LID first (whatsmeow
 * `user.go`).
 */
function findUser(board: Switchboard, user: Stanza, protocols: readonly Stanza[]): Asked {
  const { jid } = user.attrs;
  if (jid !== undefined) return { account: board.accounts.find(jid), attrs: { jid }, written: null };
  const written = bytes(child(user, 'contact')).toString();
  const number = written.replace(/@c\.us$/, '').replace(/^\+/, '');
  // The real server writes the word `undefined` (zapo `SignalDeviceSyncApi.ts`).
  if (!numberForm.test(number)) return { account: undefined, attrs: { jid: 'undefined' }, written };
  const account = board.accounts.byWrittenNumber(number);
  if (!account) return { account, attrs: { jid: `${number}@${serverJid}` }, written };
  const byLid = protocols.some(({ tag, attrs }) => tag === 'contact' && attrs['addressing_mode'] === 'lid');
  const pn = accountJid(account, 's.whatsapp.net');
  return { account, attrs: byLid ? { jid: accountJid(account, 'lid'), pn_jid: pn } : { jid: pn }, written };
}

function answerProtocol(protocol: string, user: Asked, fault: UsyncFault | null): readonly Stanza[] {
  if (failsWhole(fault, protocol)) return [];
  if (fault?.kind === 'user-error' && fault.protocol === protocol) return [stanza(protocol, {}, [errorOf(fault)])];
  const { account } = user;
  switch (protocol) {
    case 'contact':
      return [contactOf(user)];
    case 'devices':
      return [devicesOf(user)];
    case 'lid':
      return account ? [stanza('lid', { val: accountJid(account, 'lid') })] : [];
    default:
      return [];
  }
}

function contactOf({ account, attrs, written }: Asked): Stanza {
  const type = account ? 'in' : attrs['jid'] === 'undefined' ? 'invalid' : 'out';
  return stanza('contact', { type }, written === null ? undefined : Buffer.from(written));
}

/**
 * A query by phone number may find no devices of a migrated account. The real server does this since 2026 (Baileys
 * #2794).
 */
function devicesOf({ account, attrs: { jid } }: Asked): Stanza {
  const server = parseJid(jid)?.server === 'lid' ? 'lid' : 's.whatsapp.net';
  if (!account || (account.hidesDevicesByNumber && server !== 'lid')) {
    return stanza('devices', {}, [stanza('device-list', {}, [])]);
  }
  const ids = [...account.devices.keys()];
  const hash = participantHash(ids.map((id) => accountJid(account, server, id)));
  const devices = ids.map((id) =>
    stanza('device', id === 0 ? { id: '0' } : { id: String(id), 'key-index': String(id) }),
  );
  return stanza('devices', { dhash: hash }, [stanza('device-list', {}, devices)]);
}

function failsWhole(fault: UsyncFault | null, protocol: string): boolean {
  return fault?.kind === 'protocol-error' && fault.protocol === protocol;
}

function errorOf(fault: UsyncFault): Stanza {
  const { error, text, backoffSeconds } = fault;
  const backoff = backoffSeconds === undefined ? {} : { backoff: String(backoffSeconds) };
  return stanza('error', { code: String(error), text, ...backoff });
}
