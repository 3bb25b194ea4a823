/**
 * Queries (`<iq>`) of linked companions. The relay records each, then answers it, refuses it or stays silent. An
 * unknown query gets an empty result, so that it does not stop a client's start. The journal shows it as `other`.
 */
import { answerGraphQuery } from '../devices/account-limits.js';
import { answerAppState } from '../devices/app-state.js';
import type { Device } from '../devices/account.js';
import type { QueryFault, UsyncFault } from '../switchboard/faults.js';
import { unlink } from '../linking/unlink.js';
import { fetchPreKeys, takePreKeys, takeSignedPreKey } from '../devices/pre-keys.js';
import { issuePrivacyTokens } from '../people/privacy-tokens.js';
import { type QueryKind, queryKind } from '../wire/query-kind.js';
import { child, serverJid, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';
import { answerUsync } from '../people/usync.js';

type Answer = {
  readonly content: readonly Stanza[];
  readonly about?: readonly string[];
  readonly oneTimePreKeysUsed?: number;
  /** Runs after the answer has been sent. */
  readonly after?: () => void;
};

type Answering = (board: Switchboard, from: Device, request: Stanza, fault: UsyncFault | null) => Answer;

const nothing: Answer = { content: [] };
const mediaTtlSeconds = '3600';
const maxMediaBytes = '104857600';

const answers: Partial<Record<QueryKind, Answering>> = {
  usync: (board, _from, request, fault) => {
    const { answer, about } = answerUsync(board, request, fault);
    return { content: answer, about };
  },
  'pre-key-fetch': (board, _from, request) => {
    const { answer, about, oneTimePreKeysUsed } = fetchPreKeys(board.accounts, request);
    return { content: answer, about, oneTimePreKeysUsed };
  },
  'pre-key-upload': (_board, from, request) => {
    takePreKeys(from, request);
    return nothing;
  },
  'signed-pre-key-rotation': (_board, from, request) => {
    takeSignedPreKey(from, child(request, 'rotate'));
    return nothing;
  },
  'pre-key-count': (_board, from) => ({
    content: [stanza('count', { value: String(from.oneTimePreKeys.length) })],
  }),
  'pre-key-digest': () => ({ content: [stanza('digest')] }),
  'graph-query': (_board, from, request) => ({ content: answerGraphQuery(from.account, request) ?? [] }),
  'media-connection': (board) => ({ content: [mediaConnection(board.media.address)] }),
  'app-state': (_board, from, request) => ({ content: answerAppState(from.account.appState, request) }),
  properties: () => ({ content: [stanza('props', { hash: 'relay' }, [])] }),
  blocklist: () => ({ content: [stanza('list', {}, [])] }),
  'privacy-settings': () => ({
    content: [stanza('privacy', {}, [stanza('category', { name: 'readreceipts', value: 'all' })])],
  }),
  'privacy-tokens': (board, from, request) => ({
    content: [],
    about: issuePrivacyTokens(board, from, request),
  }),
  unlink: (board, from, request) => {
    const device = board.accounts.findDevice(child(request, 'remove-companion-device')?.attrs['jid']) ?? from;
    return { content: [], after: () => unlink(board, device, 'companion') };
  },
};

export function handleQuery(board: Switchboard, from: Device, request: Stanza): void {
  // This is the answer of a client to a query of the server.
  if (request.attrs['type'] !== 'get' && request.attrs['type'] !== 'set') return;
  const kind = queryKind(request);
  const fault = board.faults.queryFault(from.account.number, kind);
  if (fault && !isPartial(fault)) return strike(board, from, request, fault);
  const answer = (answers[kind] ?? (() => nothing))(board, from, request, fault);
  board.journal.record({
    kind: 'query',
    device: from.name,
    query: kind,
    about: kind === 'other' ? [request.attrs['xmlns'] ?? ''] : (answer.about ?? []),
    oneTimePreKeysUsed: answer.oneTimePreKeysUsed ?? 0,
    answer: 'answered',
  });
  from.connection?.send(queryResult(request, answer.content));
  answer.after?.();
}

/** The positive answer to an `<iq>`. */
export function queryResult(request: Stanza, content: readonly Stanza[]): Stanza {
  const { id = '', to = serverJid } = request.attrs;
  return stanza('iq', { id, from: to, type: 'result', t: timestamp() }, content.length > 0 ? content : undefined);
}

export function queryError(request: Stanza, code: number, text: string): Stanza {
  const { id = '', to = serverJid } = request.attrs;
  return stanza('iq', { id, from: to, type: 'error' }, [stanza('error', { code: String(code), text })]);
}

function isPartial(fault: QueryFault | UsyncFault): fault is UsyncFault {
  return 'protocol' in fault;
}

function strike(board: Switchboard, from: Device, request: Stanza, fault: QueryFault): void {
  board.journal.record({
    kind: 'query',
    device: from.name,
    query: queryKind(request),
    about: [],
    oneTimePreKeysUsed: 0,
    answer: fault.kind === 'refuse' ? 'refused' : 'silence',
  });
  if (fault.kind === 'refuse') from.connection?.send(queryError(request, fault.error, fault.text));
  if (fault.kind === 'reset') from.connection?.reset();
}

function mediaConnection(mediaHost: string): Stanza {
  return stanza('media_conn', { auth: 'relay', ttl: mediaTtlSeconds, auth_ttl: mediaTtlSeconds, max_buckets: '12' }, [
    stanza('host', { hostname: mediaHost, maxContentLengthBytes: maxMediaBytes }),
  ]);
}
