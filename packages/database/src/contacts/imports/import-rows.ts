/** The rows of `contact_imports`. */
import type { AccountId, ImportId, ImportState, OnExisting, UploadId } from '@kurir/contracts';

/** By field, the column of the file that holds it. */
export type ImportMapping = {
  readonly phone: string;
  readonly name: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly attributes: Readonly<Record<string, string>>;
};

/** The wish of the customer. */
export type ImportWish = {
  readonly mapping: ImportMapping;
  readonly lists: readonly string[];
  readonly consentSource: string | null;
  readonly consentAt: Date | null;
  readonly onExisting: OnExisting;
};

export type ImportCounts = {
  /** The last row of the file that is done. */
  readonly lastRow: number;
  readonly readBytes: number;
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows by the word that says why. */
  readonly refused: Readonly<Record<string, number>>;
};

/** The form of the file. */
export type ImportForm = {
  /** Empty: an earlier version began the import. */
  readonly columns: readonly string[];
  /** Null: the file has none. */
  readonly separator: string | null;
};

export type ImportView = ImportWish &
  ImportForm &
  ImportCounts & {
    readonly id: ImportId;
    readonly accountId: AccountId;
    readonly uploadId: UploadId;
    readonly fileName: string | null;
    readonly bytes: number;
    /** The country of local numbers. It stays the same for the whole file. */
    readonly country: string;
    readonly state: ImportState;
    readonly problem: string | null;
    readonly problemRow: number | null;
    readonly createdAt: Date;
    readonly endedAt: Date | null;
  };

/** Over `contact_imports i`. */
export const importColumns = `i.id, i.account_id AS "accountId", i.upload_id AS "uploadId", i.file_name AS "fileName", i.bytes,
  i.country, i.mapping, i.columns, i.separator, i.lists, i.consent_source AS "consentSource", i.consent_at AS "consentAt",
  i.on_existing AS "onExisting", i.state, i.problem, i.problem_row AS "problemRow", i.last_row AS "lastRow",
  i.read_bytes AS "readBytes", i.rows, i.added, i.updated, i.unchanged, i.refused, i.created_at AS "createdAt",
  i.ended_at AS "endedAt"`;
