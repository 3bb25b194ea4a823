/** Accounts with uploads and imports, for tests of imports. */
import { type AccountId, newId, type UploadId } from '@kurir/contracts';
import { createAccount, type Database } from '@kurir/database';
import { beginImport, type ImportView, readImport, takeImport } from '@kurir/database/contacts';
import { createUpload, readUpload, storePart } from '@kurir/database/uploads';

type Wish = Parameters<typeof beginImport>[3];

export const wishOf = (changed: Partial<Wish> = {}): Wish => ({
  columns: ['HP', 'Nama'],
  separator: ',',
  mapping: { phone: 'HP', name: 'Nama', locale: null, timeZone: null, attributes: {} },
  lists: ['promo'],
  consentSource: null,
  consentAt: null,
  onExisting: 'update',
  ...changed,
});

export class ImportFixture {
  readonly #database: () => Database;

  constructor(database: () => Database) {
    this.#database = database;
  }

  account(): Promise<AccountId> {
    return createAccount(this.#database(), 'test');
  }

  async upload(accountId: AccountId, file: Buffer | string, partBytes = 1_000_000): Promise<UploadId> {
    const bytes = Buffer.from(file);
    const database = this.#database();
    const uploadId = await createUpload(database, { accountId, fileName: 'a.csv', bytes: bytes.length });
    if (uploadId === 'too-many') throw new Error(uploadId);
    for (let [at, number] = [0, 1]; at < bytes.length; at += partBytes, number++)
      await storePart(database, { accountId, uploadId }, { number, bytes: bytes.subarray(at, at + partBytes) });
    return uploadId;
  }

  /** Uploads the file and begins its import. */
  async begin(accountId: AccountId, file: Buffer | string, changed: Partial<Wish> = {}, partBytes?: number) {
    const uploadId = await this.upload(accountId, file, partBytes);
    const upload = await readUpload(this.#database(), accountId, uploadId);
    if (upload === null) throw new Error('no upload');
    const begun = await beginImport(this.#database(), accountId, upload, wishOf(changed));
    if (typeof begun === 'string') throw new Error(begun);
    return begun;
  }

  /** Takes the import as a worker does. */
  async take(wanted: ImportView): Promise<{ given: ImportView; owner: string }> {
    const owner = newId('wrk');
    const given = await takeImport(this.#database(), owner);
    if (given?.id !== wanted.id) throw new Error(`took ${given?.id} instead of ${wanted.id}`);
    return { given, owner };
  }

  /** As after the death of its worker. */
  async expire({ id }: ImportView): Promise<void> {
    await this.#database().pool.query(
      `UPDATE contact_imports SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
  }

  async read({ accountId, id }: ImportView): Promise<ImportView> {
    const found = await readImport(this.#database(), accountId, id);
    if (found === null) throw new Error('the import is gone');
    return found;
  }

  /** By number, the name and the lists. */
  async contacts(accountId: AccountId): Promise<Record<string, string>> {
    const { rows } = await this.#database().pool.query<{ phone: string; text: string }>(
      `SELECT phone, concat_ws(' ', name, locale, time_zone, nullif(attributes, '{}'), lists::text, consent_source) AS text
       FROM contacts WHERE account_id = $1 ORDER BY phone`,
      [accountId],
    );
    return Object.fromEntries(rows.map(({ phone, text }) => [phone, text]));
  }

  async refusals({ id }: ImportView): Promise<string[]> {
    const { rows } = await this.#database().pool.query<{ text: string }>(
      `SELECT concat_ws(' ', row, column_name, value, code) AS text FROM contact_import_refusals WHERE import_id = $1 ORDER BY row`,
      [id],
    );
    return rows.map(({ text }) => text);
  }
}
