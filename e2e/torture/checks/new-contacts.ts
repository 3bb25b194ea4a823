/**
 * New contacts beyond the limit: according to the network, a device wrote to more new people within 24 hours than its
 * limit allows. A person who wrote first is not new.
 */
import type { DeviceLimits } from '../records/database-record.js';
import type { Heard, NetworkRecord, Shown } from '../records/network-record.js';
import { type Finding, finding } from './findings.js';
import { groupBy } from './group-by.js';

const dayMs = 86_400_000;

/** Returns the first frame to each new person. `frames` and `heard` are those of one device, oldest first. */
function firstToNew(frames: readonly Shown[], heard: readonly Heard[]): Shown[] {
  const writtenTo = new Set<string>();
  return frames.filter(({ recipient, n }) => {
    if (writtenTo.has(recipient)) return false;
    writtenTo.add(recipient);
    return !heard.some((letter) => letter.from === recipient && letter.n < n);
  });
}

/** For each device, the first frame to each new person, oldest first. */
export type NewContacts = ReadonlyMap<string, readonly Shown[]>;

export function newContactsOf({ shown, heard }: NetworkRecord): NewContacts {
  const frames = [...shown.values()].flat().sort((a, b) => a.n - b.n);
  const byDevice = groupBy(frames, ({ deviceId }) => deviceId);
  return new Map(
    [...byDevice].map(([deviceId, ofDevice]) => [deviceId, firstToNew(ofDevice, heard.get(deviceId) ?? [])]),
  );
}

export function findTooManyNewContacts(contacts: NewContacts, limits: ReadonlyMap<string, DeviceLimits>): Finding[] {
  return [...contacts].flatMap(([deviceId, ofDevice]) => {
    const limit = limits.get(deviceId)?.newContactsPerDay ?? null;
    if (limit === null) return [];
    return ofDevice.flatMap(({ at, networkMessageId }, i) => {
      const within = ofDevice.slice(0, i + 1).filter((other) => other.at > at - dayMs).length;
      if (within <= limit) return [];
      const what = `${deviceId} wrote to new contact ${within} of ${limit} with ${networkMessageId}`;
      return [finding('new_contacts_beyond_the_limit', what)];
    });
  });
}
