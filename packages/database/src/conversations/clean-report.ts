/**
 * Makes a report fit to be stored. A network passes on what strangers write, so each word may be rubbish. A report that
 * Postgres refused would come back at every connection.
 */
import type { Chat, InboundReport, Person } from '@kurir/contracts';

/** An index entry of Postgres has room for much more. */
const wordMaxLength = 200;
const textMaxLength = 100_000;

/** Postgres stores no U+0000, and UTF-8 has no lone surrogates. */
const cut = (text: string, maxLength: number): string =>
  Buffer.from(text.slice(0, maxLength)).toString().replaceAll('\u0000', '');

const cleanWord = (word: string): string => cut(word, wordMaxLength);
const cleanWordOrNull = (word: string | null): string | null => (word === null ? null : cleanWord(word));

const cleanPerson = ({ userId, phone, username, name }: Person): Person => ({
  userId: cleanWord(userId),
  phone: phone !== null && /^[1-9][0-9]{5,17}$/.test(phone) ? phone : null,
  username: cleanWordOrNull(username),
  name: cleanWordOrNull(name),
});

const cleanChat = ({ id, type }: Chat): Chat => ({ id: cleanWord(id), type });

/** A time that Postgres can store; the present if it is rubbish. */
const cleanTime = (time: Date): Date =>
  time.getTime() > 0 && time.getTime() < Date.now() + 366 * 86_400_000 ? time : new Date();

/** The text of JSON that goes into a sealed box may hold anything; only its length is limited. */
export const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > textMaxLength ? cut(value, textMaxLength) : value;

export function cleanReport<R extends InboundReport>(report: R): R {
  const { chat, person, networkMessageId, sentAt } = report;
  const about =
    'target' in report
      ? { target: { ...report.target, networkMessageId: cleanWord(report.target.networkMessageId) } }
      : 'replyTo' in report && report.replyTo !== null
        ? { replyTo: { ...report.replyTo, networkMessageId: cleanWord(report.replyTo.networkMessageId) } }
        : {};
  return {
    ...report,
    ...about,
    chat: cleanChat(chat),
    person: person === null ? null : cleanPerson(person),
    networkMessageId: cleanWord(networkMessageId),
    sentAt: cleanTime(sentAt),
  };
}
