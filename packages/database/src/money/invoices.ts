/** Invoices, one for each paid renewal, and the buyer on them. A paid invoice keeps the details of its day. */
import type { AccountId, PaymentMethod, RenewalId } from '@kurir/contracts';
import { type Audit, audited } from '../accounts/audit.js';
import type { Database } from '../postgres/connect.js';
import { type Page, pageOf } from './money-lists.js';

/** Null: the account has not given it. */
export type InvoiceDetails = {
  readonly name: string | null;
  readonly taxNumber: string | null;
  readonly address: string | null;
};

export type InvoiceRow = {
  readonly id: RenewalId;
  readonly accountName: string;
  readonly billedTo: InvoiceDetails;
  readonly planName: string;
  readonly durationDays: number;
  readonly quota: number | null;
  readonly amountRupiah: number;
  /** Null: the provider did not tell it. */
  readonly method: PaymentMethod | null;
  readonly provider: string;
  readonly providerPayment: string;
  readonly paidAt: Date;
  readonly periodStart: Date;
  readonly periodEnd: Date;
};

const detailsOf = (table: 'a' | 'r') =>
  `json_build_object('name', ${table}.invoice_name, 'taxNumber', ${table}.invoice_tax_number, 'address', ${table}.invoice_address)`;

/** Each invoice comes from the charge in the ledger and from the period of its renewal `r`. */
const invoices = `
  SELECT r.id, a.name AS "accountName", ${detailsOf('r')} AS "billedTo", r.plan_name AS "planName",
         r.duration_days AS "durationDays", r.quota, -l.amount_rupiah AS "amountRupiah", l.method, l.provider,
         l.provider_payment AS "providerPayment", r.paid_at AS "paidAt", p.starts_at AS "periodStart", p.ends_at AS "periodEnd"
  FROM renewals r JOIN accounts a ON a.id = r.account_id JOIN subscription_periods p ON p.id = r.period_id
    JOIN ledger_entries l ON l.renewal_id = r.id AND l.kind = 'charge'
  WHERE r.account_id = $1 AND r.state = 'paid'`;

export async function listInvoices(database: Database, accountId: AccountId, { limit, cursor }: Page) {
  const { rows } = await database.lists.query<InvoiceRow>(
    `${invoices} AND ($2::text IS NULL OR r.id < $2) ORDER BY r.id DESC LIMIT $3 + 1`,
    [accountId, cursor, limit],
  );
  return pageOf(rows, limit);
}

/** The invoice of a paid renewal of the account, or null. */
export async function readInvoice(database: Database, accountId: AccountId, id: string): Promise<InvoiceRow | null> {
  const { rows } = await database.pool.query<InvoiceRow>(`${invoices} AND r.id = $2`, [accountId, id]);
  return rows[0] ?? null;
}

export async function readInvoiceDetails(database: Database, accountId: AccountId): Promise<InvoiceDetails> {
  const { rows } = await database.pool.query<{ details: InvoiceDetails }>(
    `SELECT ${detailsOf('a')} AS details FROM accounts a WHERE a.id = $1`,
    [accountId],
  );
  return rows[0]?.details ?? { name: null, taxNumber: null, address: null };
}

/** Counts for renewals that are paid from now on. */
export async function writeInvoiceDetails(
  database: Database,
  accountId: AccountId,
  { name, taxNumber, address }: InvoiceDetails,
  audit: Audit | undefined,
): Promise<void> {
  await audited(database, audit, accountId, async (queryable) => {
    const { rowCount } = await queryable.query(
      'UPDATE accounts SET invoice_name = $2, invoice_tax_number = $3, invoice_address = $4 WHERE id = $1 AND erasure_begun_at IS NULL',
      [accountId, name, taxNumber, address],
    );
    return rowCount === 1;
  });
}
