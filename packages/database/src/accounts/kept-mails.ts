/** The mails of a development run. They are not sent; a page of the dashboard shows them. */
import { newId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

const kept = 50;

export type KeptMail = {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  /** Null: an earlier version kept the mail. */
  readonly html: string | null;
  readonly createdAt: Date;
};

/** Stores a mail and deletes the oldest beyond the limit. */
export async function keepMail(
  database: Database,
  mail: { readonly recipient: string; readonly subject: string; readonly text: string; readonly html: string },
): Promise<void> {
  await database.prisma.keptMail.create({ data: { id: newId('eml'), ...mail } });
  await database.pool.query(
    `DELETE FROM kept_mails WHERE id NOT IN (SELECT id FROM kept_mails ORDER BY created_at DESC, id DESC LIMIT ${kept})`,
  );
}

/** Newest first. */
export async function listKeptMails(database: Database): Promise<KeptMail[]> {
  return database.prisma.keptMail.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: kept });
}
