/**
 * The protobuf messages that a phone writes for its companions. The codecs come from zapo-js and are typed as in
 * `protobuf.ts`.
 */
import { proto } from 'zapo-js/proto';
import type { Codec } from './protobuf.js';

/** A chat of an account, as its phone describes it to a new companion. */
export type HistoryChat = {
  readonly id: string;
  readonly pnJid?: string;
  readonly lidJid?: string;
  readonly tcToken?: Uint8Array;
  /** Seconds since 1970. */
  readonly tcTokenTimestamp?: number;
};

export type History = {
  readonly syncType: number;
  readonly conversations?: readonly HistoryChat[];
  readonly pushnames?: readonly { readonly id: string; readonly pushname: string }[];
  readonly phoneNumberToLidMappings?: readonly { readonly pnJid: string; readonly lidJid: string }[];
  readonly globalSettings?: { readonly chatDbLidMigrationTimestamp: number };
  readonly nctSalt?: Uint8Array;
};

/** The place of a history: the message itself, or an encrypted file on the media host. */
export type HistoryPlace =
  | { readonly initialHistBootstrapInlinePayload: Uint8Array }
  | {
      readonly directPath: string;
      readonly mediaKey: Uint8Array;
      readonly fileSha256: Uint8Array;
      readonly fileEncSha256: Uint8Array;
      readonly fileLength: number;
    };

type AppStateKey = {
  readonly keyId: { readonly keyId: Uint8Array };
  readonly keyData: {
    readonly keyData: Uint8Array;
    readonly fingerprint: { readonly rawId: number; readonly currentIndex: number; readonly deviceIndexes: number[] };
    readonly timestamp: number;
  };
};

/** `ProtocolMessage.Type` of the protocol. */
const types = { history: 5, 'app-state-key': 6, resent: 17, migration: 22 } as const;

export type PhoneMessage =
  | { readonly type: 'history'; readonly historySyncNotification: { readonly syncType: number } & HistoryPlace }
  | { readonly type: 'app-state-key'; readonly appStateSyncKeyShare: { readonly keys: readonly AppStateKey[] } }
  | {
      readonly type: 'migration';
      readonly lidMigrationMappingSyncMessage: { readonly encodedMappingPayload: Uint8Array };
    };

/** Pairs of a phone number and its LID, both without their servers. */
export type Migration = {
  readonly pnToLidMappings: readonly { readonly pn: number; readonly assignedLid: number }[];
  /** Seconds since 1970. */
  readonly chatDbMigrationTimestamp: number;
};

export type AppStatePatch = {
  readonly version: { readonly version: number };
  readonly mutations: readonly {
    readonly operation: number;
    readonly record: {
      readonly index: { readonly blob: Uint8Array };
      readonly value: { readonly blob: Uint8Array };
      readonly keyId: { readonly id: Uint8Array };
    };
  }[];
  readonly snapshotMac: Uint8Array;
  readonly patchMac: Uint8Array;
  readonly keyId: { readonly id: Uint8Array };
};

const codecs: {
  readonly Message: Codec<object>;
  readonly WebMessageInfo: Codec<object>;
  readonly HistorySync: Codec<History>;
  readonly LIDMigrationMappingSyncPayload: Codec<Migration>;
  readonly SyncdPatch: Codec<AppStatePatch>;
} = proto;

export function writePhoneMessage({ type, ...content }: PhoneMessage): Uint8Array {
  return codecs.Message.encode({ protocolMessage: { ...content, type: types[type] } }).finish();
}

/** A message that the phone has read and its companions have not. `message` is protobuf. */
export type ReadByPhone = {
  readonly key: { readonly id: string; readonly remoteJid: string | undefined; readonly fromMe: boolean };
  readonly message: Uint8Array;
};

/** The phone's answer to companions that ask for messages that they got without a content. */
export function writeResent(read: readonly ReadByPhone[]): Uint8Array {
  const peerDataOperationResult = read.map(({ key, message }) => {
    const webMessageInfoBytes = codecs.WebMessageInfo.encode({ key, message: codecs.Message.decode(message) }).finish();
    return { placeholderMessageResendResponse: { webMessageInfoBytes } };
  });
  const peerDataOperationRequestResponseMessage = { peerDataOperationResult };
  return codecs.Message.encode({
    protocolMessage: { type: types.resent, peerDataOperationRequestResponseMessage },
  }).finish();
}

export function writeHistory(history: History): Uint8Array {
  return codecs.HistorySync.encode(history).finish();
}

export function writeMigration(migration: Migration): Uint8Array {
  return codecs.LIDMigrationMappingSyncPayload.encode(migration).finish();
}

export function writeAppStatePatch(patch: AppStatePatch): Uint8Array {
  return codecs.SyncdPatch.encode(patch).finish();
}
