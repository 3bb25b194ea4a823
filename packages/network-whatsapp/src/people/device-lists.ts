/**
 * The devices of an account: the phone and its companions, as addresses of one kind. The driver asks once a day per
 * account, and again when the network says that the list has changed.
 */
import type { SendOutcome } from '@kurir/network';
import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChildren, jidEncode, type WASocket } from 'baileys';
import { isLid, userOfJid } from '../socket/jid.js';
import { BUSY_MS, retryAfter, UNANSWERED_MS } from '../socket/refusals.js';
import type { Lookups } from './lookups.js';
import type { StoredCache } from './stored-cache.js';
import type { UsyncDevice } from './usync.js';

const DEVICES_CHANGED = 'CB:notification,type:devices';

/** The kind of the rows. The id of a row is the user part of the account's address. */
export const ACCOUNT_DEVICES_KIND = 'account-devices';

/** The devices of each account that was asked for, or null when the network said nothing about it. */
export type FoundDevices = { readonly kind: 'found'; readonly of: ReadonlyMap<string, readonly string[] | null> };

export class DeviceLists {
  readonly #lookups: Lookups;
  /** By the user part of the address. */
  readonly #known: StoredCache<readonly string[]>;

  constructor(socket: WASocket, lookups: Lookups, known: StoredCache<readonly string[]>) {
    this.#lookups = lookups;
    this.#known = known;
    socket.ws.on(DEVICES_CHANGED, (stanza: BinaryNode) => this.#changed(stanza));
  }

  /**
   * Finds the devices of these accounts. An account without devices has an empty list. Rejects when the network refuses
   * the query, or as the store does.
   */
  async find(accounts: readonly string[]): Promise<FoundDevices | SendOutcome> {
    const found = new Map<string, readonly string[] | null>();
    const unknown: string[] = [];
    for (const account of accounts) {
      const devices = await this.#known.get(userOfJid(account));
      if (devices === undefined) unknown.push(account);
      else found.set(account, devices);
    }
    if (unknown.length === 0) return { kind: 'found', of: found };
    const answer = await this.#lookups.ask(
      'message',
      ['devices'],
      unknown.map((jid) => ({ jid })),
    );
    if (answer === null) return retryAfter(UNANSWERED_MS, 'temporarily_unavailable');
    if ('kind' in answer) return answer;
    if (answer.errors.devices) return retryAfter(answer.errors.devices.backoffMs ?? BUSY_MS, 'temporarily_unavailable');
    for (const account of unknown) {
      const devices = answer.users.find(({ jid }) => jid === account)?.devices ?? null;
      found.set(account, devices === null ? null : this.#learn(account, devices));
    }
    return { kind: 'found', of: found };
  }

  /** Drops the device list of an account. Takes any address of the account. */
  forget(jid: string): void {
    this.#known.del(userOfJid(jid));
  }

  #learn(account: string, devices: readonly UsyncDevice[]): readonly string[] {
    const jids = devices.map((device) => jidOfDevice(account, device));
    // An empty list is not stored, so that the driver asks again: an account always has its phone.
    if (jids.length > 0) this.#known.set(userOfJid(account), jids);
    return jids;
  }

  #changed(stanza: BinaryNode): void {
    const { attrs } = stanza;
    const devices = getAllBinaryNodeChildren(stanza).flatMap((change) =>
      getBinaryNodeChildren(change, 'device').map((device) => device.attrs['jid']),
    );
    for (const jid of [attrs['from'], attrs['lid'], ...devices]) if (jid !== undefined) this.forget(jid);
  }
}

function jidOfDevice(account: string, { id, isHosted }: UsyncDevice): string {
  const byLid = isLid(account);
  if (isHosted) return jidEncode(userOfJid(account), byLid ? 'hosted.lid' : 'hosted', id);
  return jidEncode(userOfJid(account), byLid ? 'lid' : 's.whatsapp.net', id);
}
