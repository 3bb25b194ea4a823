/** What every part of the relay works on: who exists, who is linking, what was seen, what shall go wrong. */
import type { Accounts } from '../devices/accounts.js';
import type { ArmedFaults } from './faults.js';
import type { Journal } from './journal.js';
import type { MinimumVersion } from './minimum-version.js';
import type { MediaHost } from './media-host.js';

export type Switchboard = {
  readonly accounts: Accounts;
  readonly journal: Journal;
  readonly faults: ArmedFaults;
  /** Whether messages are refused that the real server refuses. */
  readonly strict: boolean;
  readonly minimumVersion: MinimumVersion;
  /** The https server that takes encrypted media. */
  readonly media: Pick<MediaHost, 'address' | 'keep'>;
};
