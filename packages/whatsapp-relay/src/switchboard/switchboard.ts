/**
 * The things that every part of the relay works on: the accounts, the journal, the armed faults and the settings of the
 * server.
 */
import type { Accounts } from '../devices/accounts.js';
import type { ArmedFaults } from './faults.js';
import type { Journal } from './journal.js';
import type { MinimumVersion } from './minimum-version.js';
import type { MediaHost } from './media-host.js';

export type Switchboard = {
  readonly accounts: Accounts;
  readonly journal: Journal;
  readonly faults: ArmedFaults;
  /** Whether the relay refuses messages that the real server refuses. */
  readonly strict: boolean;
  readonly minimumVersion: MinimumVersion;
  /** The https server for encrypted media. */
  readonly media: Pick<MediaHost, 'address' | 'keep'>;
};
