/** The network of one device: its driver, through the device's proxy, and the parts that depend on the network. */
import { openDeviceProxy } from '@kurir/database';
import type { Driver, ErasableCredentials } from '@kurir/network';
import type { DeviceLease } from '../leases/device-lease.js';
import { type ContactNotes, createContactNotes, noContactNotes } from '../messages/contact-notes.js';
import { createTypingBeforeText, type TypingBeforeText } from '../messages/typing-before-text.js';
import { networkInUse } from '../networks/network-in-use.js';
import { throughProxy } from '../networks/proxied-driver.js';
import { createCredentialStore } from './credential-store.js';
import type { DeviceResources } from './device-resources.js';
import { createInboundNotes, type InboundNotes } from '../conversations/inbound-notes.js';
import type { KnownIntent } from './known-intent.js';

export type DeviceNetwork = {
  readonly driver: Driver;
  readonly credentials: ErasableCredentials;
  readonly contacts: ContactNotes;
  readonly inbound: InboundNotes;
  readonly typing: TypingBeforeText;
};

/** Reads the proxy, the typing time and the groups from `intent` when they are needed, so that changes count. */
export function openDeviceNetwork(
  { database, sealer, drivers, contactWriter, inboundWriter }: DeviceResources,
  { token, deviceId, log }: DeviceLease,
  intent: KnownIntent,
): DeviceNetwork {
  const { driver, limitsNewContacts, hasTyping } = networkInUse(drivers, intent.now.network);

  /** Throws `RecordUnreadable`. */
  function readProxyUrl(): string | null {
    const { proxySealed } = intent.now;
    return proxySealed === null ? null : openDeviceProxy(sealer, deviceId, proxySealed);
  }

  return {
    driver: throughProxy(driver, readProxyUrl),
    credentials: createCredentialStore(database, sealer, token),
    contacts: limitsNewContacts ? createContactNotes(database, contactWriter, token) : noContactNotes,
    inbound: createInboundNotes(inboundWriter, {
      deviceId,
      notesContact: limitsNewContacts,
      takesGroups: () => intent.now.groups === 'all',
    }),
    typing: createTypingBeforeText(() => (hasTyping ? intent.now.typingMs : 0), log),
  };
}
