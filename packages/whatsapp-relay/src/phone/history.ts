/**
 * A phone tells a companion what came before the link. It shares the chats with both addresses and people's tokens, the
 * salt for first messages, and people's names (whatsmeow `message.go`, `handleHistorySyncNotification`; zapo
 * `fake-server/src/protocol/push/history-sync.ts`).
 */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { WaMediaCrypto } from 'zapo-js/media';
import { type Account, accountJid, type Device } from '../devices/account.js';
import { addressSeenBy } from '../devices/address.js';
import {
  type History,
  type HistoryChat,
  type HistoryPlace,
  writeHistory,
  writePhoneMessage,
} from '../wire/phone-protobuf.js';
import { sayTo } from '../writing/phone-voice.js';
import type { Switchboard } from '../switchboard/switchboard.js';

export type HistoryOptions = {
  /** The chats by default. */
  readonly kind?: 'chats' | 'push-names';
  /** Whether the history stands in the message itself. By default it is an encrypted file on the media host. */
  readonly inline?: boolean;
};

const compress = promisify(deflate);
/** Seconds since 1970. Clients check only that there is a time (whatsmeow `message.go`, `storeGlobalSettings`). */
const migratedAt = 1_750_000_000;
/** `HistorySyncType` of the protocol. */
const syncTypes = { chats: 0, 'push-names': 4 } as const;

export async function shareHistory(
  board: Switchboard,
  companion: Device,
  { kind = 'chats', inline = false }: HistoryOptions = {},
): Promise<string> {
  const { account } = companion;
  const known = knownTo(board, account);
  const history = kind === 'chats' ? chats(account, known) : pushNames(account, known);
  const compressed = await compress(writeHistory(history));
  const place = inline ? { initialHistBootstrapInlinePayload: compressed } : await upload(board, compressed);
  const notification = { syncType: history.syncType, ...place };
  return sayTo(companion, writePhoneMessage({ type: 'history', historySyncNotification: notification }));
}

/** The contacts of the account, and people who issued a token to it. */
function knownTo({ accounts }: Switchboard, account: Account): readonly Account[] {
  return accounts.all().filter((other) => account.contacts.has(other.number) || tokenOf(other, account));
}

function chats(account: Account, known: readonly Account[]): History {
  const addresses = known.map((other) => ({
    pnJid: accountJid(other, 's.whatsapp.net'),
    lidJid: accountJid(other, 'lid'),
  }));
  return {
    syncType: syncTypes.chats,
    conversations: known.map((other) => chatWith(account, other)),
    phoneNumberToLidMappings: addresses,
    ...(account.lidMigrated ? { globalSettings: { chatDbLidMigrationTimestamp: migratedAt } } : {}),
    nctSalt: account.nctSalt,
  };
}

function chatWith(account: Account, other: Account): HistoryChat {
  const token = tokenOf(other, account);
  return {
    id: addressSeenBy(account, other),
    ...(account.lidMigrated ? { pnJid: accountJid(other, 's.whatsapp.net') } : { lidJid: accountJid(other, 'lid') }),
    ...(token ? { tcToken: token.value, tcTokenTimestamp: token.issuedSeconds } : {}),
  };
}

function pushNames(account: Account, known: readonly Account[]): History {
  const pushnames = [account, ...known].map((other) => ({
    id: addressSeenBy(account, other),
    pushname: other.pushName,
  }));
  return { syncType: syncTypes['push-names'], pushnames };
}

function tokenOf(other: Account, account: Account) {
  return other.issuedTokens.findLast(({ to }) => to === account.number);
}

async function upload({ media }: Switchboard, compressed: Buffer): Promise<HistoryPlace> {
  const mediaKey = await WaMediaCrypto.generateMediaKey();
  const { ciphertextHmac, fileSha256, fileEncSha256 } = await WaMediaCrypto.encryptBytes(
    'history',
    mediaKey,
    compressed,
  );
  const directPath = media.keep(Buffer.from(ciphertextHmac));
  return { directPath, mediaKey, fileSha256, fileEncSha256, fileLength: compressed.length };
}
