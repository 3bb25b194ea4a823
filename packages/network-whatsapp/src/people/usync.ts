/**
 * One `usync` query: whether a number is on WhatsApp, its LID, its devices. Baileys 7.0.0-rc14 drops the errors of an
 * answer, so that a throttled look-up would look like a number without an account. This code keeps each error. Form of
 * the answer: zapo `transport/node/builders/usync.ts` (`error` per protocol, with `backoff` in seconds).
 */
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, S_WHATSAPP_NET, type WASocket } from 'baileys';

export type UsyncProtocol = 'contact' | 'devices' | 'lid';

/** A user is named by address or by the digits of the phone number. */
export type AskedUser = { readonly jid: string } | { readonly number: string };

export type UsyncUser = {
  readonly jid: string | null;
  /** The server's word: `in`, `out`, `invalid`, or null when it said nothing. */
  readonly contact: string | null;
  readonly lid: string | null;
  /** Null when the server said nothing about devices. */
  readonly devices: readonly UsyncDevice[] | null;
};

export type UsyncDevice = { readonly id: number; readonly isHosted: boolean };

export type UsyncError = { readonly code: number; readonly backoffMs: number | null };

export type UsyncAnswer = {
  readonly users: readonly UsyncUser[];
  readonly errors: Readonly<Partial<Record<UsyncProtocol, UsyncError>>>;
};

/** Null when the network did not answer in time. Rejects when the network refused the whole query. */
export async function askUsync(
  socket: WASocket,
  context: 'interactive' | 'message',
  protocols: readonly UsyncProtocol[],
  users: readonly AskedUser[],
): Promise<UsyncAnswer | null> {
  const attrs = { context, mode: 'query', sid: socket.generateMessageTag(), last: 'true', index: '0' };
  const query = node('query', {}, protocols.map(protocolNode));
  const list = node('list', {}, users.map(userNode));
  const iq = node('iq', { to: S_WHATSAPP_NET, type: 'get', xmlns: 'usync' }, [node('usync', attrs, [query, list])]);
  // The query resolves with undefined when nobody answered, contrary to its type.
  const answer = (await socket.query(iq)) as BinaryNode | undefined;
  return answer === undefined ? null : readAnswer(answer);
}

function readAnswer(answer: BinaryNode): UsyncAnswer {
  const usync = getBinaryNodeChild(answer, 'usync');
  const users = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user');
  return { users: users.map(readUser), errors: errorsOf([getBinaryNodeChild(usync, 'result'), ...users]) };
}

function readUser(user: BinaryNode): UsyncUser {
  const devices = getBinaryNodeChild(getBinaryNodeChild(user, 'devices'), 'device-list');
  return {
    jid: user.attrs['jid'] ?? null,
    contact: getBinaryNodeChild(user, 'contact')?.attrs['type'] ?? null,
    lid: getBinaryNodeChild(user, 'lid')?.attrs['val'] ?? null,
    devices: devices === undefined ? null : getBinaryNodeChildren(devices, 'device').flatMap(readDevice),
  };
}

/** A companion without `key-index` is not confirmed yet. The network would refuse a query for its keys. */
function readDevice({ attrs }: BinaryNode): readonly UsyncDevice[] {
  const id = Number(attrs['id']);
  if (!Number.isInteger(id) || (id !== 0 && !attrs['key-index'])) return [];
  return [{ id, isHosted: attrs['is_hosted'] === 'true' }];
}

function errorsOf(parents: readonly (BinaryNode | undefined)[]): UsyncAnswer['errors'] {
  const errors: Partial<Record<UsyncProtocol, UsyncError>> = {};
  for (const parent of parents) {
    for (const protocol of ['contact', 'devices', 'lid'] as const) {
      const error = getBinaryNodeChild(getBinaryNodeChild(parent, protocol), 'error');
      if (error) errors[protocol] ??= readError(error);
    }
  }
  return errors;
}

function readError({ attrs }: BinaryNode): UsyncError {
  const backoffSeconds = Number(attrs['backoff']);
  return { code: Number(attrs['code'] ?? 500), backoffMs: backoffSeconds > 0 ? backoffSeconds * 1_000 : null };
}

function protocolNode(protocol: UsyncProtocol): BinaryNode {
  return node(protocol, protocol === 'devices' ? { version: '2' } : {});
}

function userNode(user: AskedUser): BinaryNode {
  if ('jid' in user) return node('user', { jid: user.jid });
  return node('user', {}, [{ tag: 'contact', attrs: {}, content: `+${user.number}` }]);
}

function node(tag: string, attrs: Record<string, string>, content?: BinaryNode[]): BinaryNode {
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}
