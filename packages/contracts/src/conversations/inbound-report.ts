/**
 * The reports of a session about what people write to the device, and what its owner writes with the phone.
 *
 * A network may repeat a report. `chat.id`, `networkMessageId` and `person.userId` together name it. Status posts,
 * channels and broadcast lists are never reported.
 */
import type { InboundContent } from './inbound-content.js';

export type Person = {
  /**
   * The network's own id of the person. It never changes. If the network told only the phone number, it is the number:
   * digits with country code.
   */
  readonly userId: string;
  /** Digits with country code. Null: the network hides it. */
  readonly phone: string | null;
  /** The name by which the network's other people find the person. */
  readonly username: string | null;
  /** The name that the person shows. */
  readonly name: string | null;
};

export type Chat = {
  /** In a direct chat: the `userId` of the other person. In a group: the network's id of the group. */
  readonly id: string;
  readonly type: 'direct' | 'group';
};

/** A message that another one answers. */
export type Quoted = {
  readonly networkMessageId: string;
  /** The text that the answer shows of it. */
  readonly text: string | null;
};

/** A message that an edit, a deletion or a reaction is about. */
export type Target = { readonly networkMessageId: string; readonly writtenByUs: boolean };

type OfEveryReport = {
  readonly chat: Chat;
  /** The person who wrote. For `sent-elsewhere`: the other person of a direct chat, and null in a group. */
  readonly person: Person;
  /** The id of the report's own message. An edit, a deletion and a reaction have one too. */
  readonly networkMessageId: string;
  readonly sentAt: Date;
  /** The network kept it while the device was away. */
  readonly offline: boolean;
};

type Written = {
  readonly content: InboundContent;
  readonly replyTo: Quoted | null;
  readonly forwarded: boolean;
};

export type InboundMessage = OfEveryReport & Written & { readonly kind: 'message' };

export type InboundReport =
  | InboundMessage
  /** The person changed a message. `content` is the new one. */
  | (OfEveryReport & { readonly kind: 'edited'; readonly target: Target; readonly content: InboundContent })
  /** The person, or the admin of a group, deleted a message for everyone. */
  | (OfEveryReport & { readonly kind: 'deleted'; readonly target: Target })
  /** `emoji` is null when the person takes the reaction back. */
  | (OfEveryReport & { readonly kind: 'reaction'; readonly target: Target; readonly emoji: string | null })
  /** The driver cannot read the message. If it can later, it reports a message with the same id. */
  | (OfEveryReport & { readonly kind: 'undecryptable' })
  /** The owner of the account wrote with the phone or with another program. Messages of this device are no such reports. */
  | (Omit<OfEveryReport, 'person'> & Written & { readonly kind: 'sent-elsewhere'; readonly person: Person | null });

/** The driver learned that this person has this number. */
export type Identified = { readonly userId: string; readonly phone: string };

/** A message that the account's owner has read. */
export type ReadMark = { readonly networkMessageId: string; readonly userId: string };
