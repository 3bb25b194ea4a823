/** Broadcasts with a file or contacts as their audience, for tests of planning. */
import { type BroadcastId, newId } from '@kurir/contracts';
import {
  type BroadcastView,
  type ClaimedAudience,
  createBroadcast,
  type NewAudience,
  readBroadcast,
  takeAudience,
} from '@kurir/database/broadcasts';
import type { ContactFilter } from '@kurir/database/contacts';
import type { Customer } from './account-fixture.js';
import { ImportFixture } from './import-fixture.js';
import type { WorkerFixture } from './worker-fixture.js';

export const everybody: ContactFilter = {
  list: null,
  phone: null,
  attribute: null,
  locale: null,
  hasConsent: null,
  search: null,
};

export type PlannedBroadcast = { readonly customer: Customer; readonly id: BroadcastId };

export type FileOptions = {
  readonly text?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly partBytes?: number;
};

export class AudienceFixture {
  readonly #fixture: () => WorkerFixture;
  readonly #imports: ImportFixture;

  constructor(fixture: () => WorkerFixture) {
    this.#fixture = fixture;
    this.#imports = new ImportFixture(() => fixture().database);
  }

  async create(customer: Customer, audience: NewAudience, text = 'Halo {{nama|Kak}}'): Promise<PlannedBroadcast> {
    const { database, accountKeys } = this.#fixture();
    const { accountId, deviceId } = customer;
    const id = await createBroadcast(
      database,
      accountKeys,
      {
        accountId,
        name: 'Promo',
        category: 'marketing',
        text: { text, footer: null },
        deviceIds: [deviceId],
        pacePerMinute: null,
        sendAt: null,
        window: null,
        maxPerDay: null,
        guardFailed: null,
        guardOptedOut: null,
        createdBy: newId('usr'),
        audience,
      },
      undefined,
    );
    if (id === 'no-such-device' || id === 'upload-used') throw new Error(id);
    return { customer, id };
  }

  /** A broadcast to the people of a file with the column `HP`. */
  async ofFile(customer: Customer, file: Buffer | string, options: FileOptions = {}): Promise<PlannedBroadcast> {
    const { text, values = { nama: 'Nama' }, partBytes } = options;
    const uploadId = await this.#imports.upload(customer.accountId, file, partBytes);
    return this.create(customer, { uploadId, bytes: Buffer.byteLength(file), mapping: { phone: 'HP', values } }, text);
  }

  /** Takes the audience as a worker does. */
  async take({ id }: PlannedBroadcast): Promise<ClaimedAudience> {
    const taken = await takeAudience(this.#fixture().database, newId('wrk'));
    if (taken?.id !== id) throw new Error(`took ${taken?.id} instead of ${id}`);
    return taken;
  }

  /** As after the death of its worker. */
  async expire({ id }: PlannedBroadcast): Promise<void> {
    await this.#fixture().query(
      `UPDATE broadcast_audiences SET expires_at = now() - interval '1 second' WHERE broadcast_id = $1`,
      [id],
    );
  }

  async read({ customer, id }: PlannedBroadcast): Promise<BroadcastView> {
    const found = await readBroadcast(this.#fixture().database, customer.accountId, id);
    if (found === null) throw new Error('the broadcast is gone');
    return found.broadcast;
  }

  /** A line for each recipient: the number and why it is skipped. */
  async list({ id }: PlannedBroadcast): Promise<string[]> {
    const rows = await this.#fixture().query<{ line: string }>(
      `SELECT concat_ws(' ', position, recipient, skip_reason) AS line FROM broadcast_recipients WHERE broadcast_id = $1
       ORDER BY position`,
      [id],
    );
    return rows.map(({ line }) => line);
  }

  async uploads({ customer }: PlannedBroadcast): Promise<number> {
    return (await this.#fixture().query('SELECT 1 FROM uploads WHERE account_id = $1', [customer.accountId])).length;
  }
}
