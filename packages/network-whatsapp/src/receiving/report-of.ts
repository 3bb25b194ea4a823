/**
 * Makes the report of a message stanza that was read. The stanza names the people, the message says what they did.
 *
 * The owner's own edits, deletions and reactions are not reported: the worker has no report for them. Messages without
 * a content that a person could see are no reports either.
 */
import type { Chat, InboundReport, Person, Target } from '@kurir/network';
import { type BinaryNode, getBinaryNodeChildren, proto } from 'baileys';
import { LONGEST_WORD, plainText, wholeNumber } from '../contents/plain-values.js';
import { isOnlyBeside, readContent, readWritten, type Written } from '../contents/read-content.js';
import { type Message, unwrap } from '../contents/unwrap.js';
import { isGroup } from '../socket/jid.js';

/** The people of a stanza. `isOurs`: the account's owner wrote it with the phone. */
export type Parties = {
  readonly chat: Chat;
  readonly person: Person | null;
  readonly isOurs: boolean;
  isOwnAddress(jid: string): boolean;
};

const { Type } = proto.Message.ProtocolMessage;

const LATEST_MS = 24 * 3_600_000;

/** Null: nothing to report. */
export function reportOf(stanza: BinaryNode, wrapped: Message, parties: Parties): InboundReport | null {
  const message = unwrap(wrapped);
  const { protocolMessage, reactionMessage } = message;
  if (protocolMessage) return ofProtocol(stanza, protocolMessage, parties);
  if (reactionMessage?.key?.id) return ofReaction(stanza, reactionMessage, parties);
  if (isOnlyBeside(message) && !isOfUnknownKind(stanza)) return null;
  return written(stanza, readWritten(message), parties);
}

/** A message whose content never reaches a companion. `rawType` is the network's word for the reason. */
export function unavailableReport(stanza: BinaryNode, rawType: string, parties: Parties): InboundReport | null {
  const content = { type: 'unsupported', rawType, text: null } as const;
  return written(stanza, { content, replyTo: null, forwarded: false }, parties);
}

/** Null for a message of the owner: only messages of others wait for being readable. */
export function undecryptableReport(stanza: BinaryNode, parties: Parties): InboundReport | null {
  const facts = factsOf(stanza, parties);
  return facts === null ? null : { kind: 'undecryptable', ...facts };
}

/** The group's content was sealed in a part of its own, which has no field that this version knows. */
function isOfUnknownKind(stanza: BinaryNode): boolean {
  return getBinaryNodeChildren(stanza, 'enc').some(({ attrs }) => attrs['type'] === 'skmsg');
}

function written(stanza: BinaryNode, what: Written, parties: Parties): InboundReport | null {
  const { chat, person, isOurs } = parties;
  if (isOurs) return { kind: 'sent-elsewhere', chat, person, ...stampOf(stanza), ...what };
  const facts = factsOf(stanza, parties);
  return facts === null ? null : { kind: 'message', ...facts, ...what };
}

function ofProtocol(
  stanza: BinaryNode,
  { type, key, editedMessage }: proto.Message.IProtocolMessage,
  parties: Parties,
): InboundReport | null {
  const facts = factsOf(stanza, parties);
  if (facts === null) return null;
  const target = key?.id ? targetOf(key, parties) : null;
  if (target && type === Type.MESSAGE_EDIT && editedMessage)
    return { kind: 'edited', ...facts, target, content: readContent(unwrap(editedMessage)) };
  if (target && (type ?? Type.REVOKE) === Type.REVOKE) return { kind: 'deleted', ...facts, target };
  return unavailableReport(stanza, Type[type ?? Type.REVOKE] ?? 'protocolMessage', parties);
}

function ofReaction(
  stanza: BinaryNode,
  { key, text }: proto.Message.IReactionMessage,
  parties: Parties,
): InboundReport | null {
  const facts = factsOf(stanza, parties);
  if (facts === null || !key) return null;
  return { kind: 'reaction', ...facts, target: targetOf(key, parties), emoji: plainText(text, LONGEST_WORD) };
}

/** A message key is written from the sender's view. In a direct chat, what is not the sender's is ours. */
function targetOf({ id, fromMe, participant }: proto.IMessageKey, { chat, isOwnAddress }: Parties): Target {
  const isOfOthers = chat.type === 'group' && !(participant && isOwnAddress(participant));
  return { networkMessageId: plainText(id, LONGEST_WORD) ?? '', writtenByUs: !fromMe && !isOfOthers };
}

function factsOf(stanza: BinaryNode, { chat, person, isOurs }: Parties) {
  return isOurs || person === null ? null : { chat, person, ...stampOf(stanza) };
}

function stampOf({ attrs }: BinaryNode) {
  const sentAt = (wholeNumber(Number(attrs['t']), Number.MAX_SAFE_INTEGER) ?? 0) * 1_000;
  const isPlausible = sentAt > 0 && sentAt < Date.now() + LATEST_MS;
  return {
    networkMessageId: plainText(attrs['id'], LONGEST_WORD) ?? '',
    sentAt: new Date(isPlausible ? sentAt : Date.now()),
    offline: attrs['offline'] !== undefined,
  };
}

/** Whether the stanza can be reported: it has an id, and an author if it is of a group. */
export function isNamed({ attrs }: BinaryNode): boolean {
  const isComplete = !isGroup(attrs['from']) || attrs['participant'] !== undefined;
  return plainText(attrs['id'], LONGEST_WORD) !== null && isComplete;
}
