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
  readonly fileName: string | null;
  readonly createdAt: Date;
};

/** Stores a mail and deletes the oldest beyond the limit. */
export async function keepMail(
  database: Database,
  {
    file,
    ...mail
  }: {
    readonly recipient: string;
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly file?: { readonly name: string; readonly content: Buffer };
  },
): Promise<void> {
  const attached = file === undefined ? {} : { fileName: file.name, file: Uint8Array.from(file.content) };
  await database.prisma.keptMail.create({ data: { id: newId('eml'), ...mail, ...attached } });
  await database.pool.query(
    `DELETE FROM kept_mails WHERE id NOT IN (SELECT id FROM kept_mails ORDER BY created_at DESC, id DESC LIMIT ${kept})`,
  );
}

/** Newest first. */
export async function listKeptMails(database: Database): Promise<KeptMail[]> {
  const order = [{ createdAt: 'desc' }, { id: 'desc' }] as const;
  return database.prisma.keptMail.findMany({ orderBy: [...order], take: kept, omit: { file: true } });
}

/** The file of a kept mail, or null. */
export async function readKeptFile(database: Database, id: string): Promise<{ name: string; content: Buffer } | null> {
  const mail = await database.prisma.keptMail.findUnique({ where: { id }, select: { fileName: true, file: true } });
  if (mail === null || mail.fileName === null || mail.file === null) return null;
  return { name: mail.fileName, content: Buffer.from(mail.file) };
}
