/**
 * User synchronisation: is this number on WhatsApp, which devices has it, what is its LID.
 * Every known account's LID is given: Baileys 7.0.0-rc14 fetches pre-keys by LID only, and without it a send fails.
 * Companions need `key-index`, or clients ignore them.
 */
import { type Account, accountJid } from './account.js';
import { bytes, child, children, serverJid, type Stanza, stanza } from './stanza.js';
import type { Switchboard } from './switchboard.js';

export type UsyncAnswer = { readonly answer: readonly Stanza[]; readonly about: readonly string[] };

export function answerUsync(board: Switchboard, request: Stanza): UsyncAnswer {
  const usync = child(request, 'usync');
  const wanted = children(child(usync, 'query')).map((protocol) => protocol.tag);
  const about: string[] = [];
  const users = children(child(usync, 'list'), 'user').map((user) => {
    const { account, jid } = findUser(board, user);
    about.push(account?.number ?? jid);
    return stanza(
      'user',
      { jid },
      wanted.flatMap((protocol) => answerProtocol(protocol, account)),
    );
  });
  const attrs = { sid: usync?.attrs['sid'] ?? '', mode: 'query', last: 'true', index: '0' };
  return { answer: [stanza('usync', attrs, [stanza('list', {}, users)])], about };
}

/** Users are named by address, or by a phone number in a `<contact>`. */
function findUser(board: Switchboard, user: Stanza): { account: Account | undefined; jid: string } {
  const jid = user.attrs['jid'];
  if (jid !== undefined) return { account: board.accounts.find(jid), jid };
  const number = bytes(child(user, 'contact')).toString().replaceAll(/\D/g, '');
  return { account: board.accounts.byPhoneNumber(number), jid: `${number}@${serverJid}` };
}

function answerProtocol(protocol: string, account: Account | undefined): readonly Stanza[] {
  switch (protocol) {
    case 'contact':
      return [stanza('contact', { type: account ? 'in' : 'out' })];
    case 'devices':
      return [stanza('devices', {}, [stanza('device-list', {}, account ? deviceList(account) : [])])];
    case 'lid':
      return account ? [stanza('lid', { val: accountJid(account, 'lid') })] : [];
    default:
      return [];
  }
}

function deviceList(account: Account): readonly Stanza[] {
  return [...account.devices.keys()].map((id) =>
    stanza('device', id === 0 ? { id: '0' } : { id: String(id), 'key-index': String(id) }),
  );
}
