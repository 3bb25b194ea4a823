/** The tables of the exports of a person's and an account's data. */
import { limits } from '@kurir/contracts';

/** A table of an export. `$1` is the id of the person or account. */
export type Section = {
  readonly kind: string;
  readonly from: string;
  readonly where: string;
  /** A unique text that orders the rows. */
  readonly key: string;
  /** Columns by their name in the export. */
  readonly fields: Readonly<Record<string, string>>;
};

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Names of columns that are the same in the export. A name that ends in `_at` is a time. */
const plain = (alias: string, names: string): Record<string, string> =>
  Object.fromEntries(
    names.split(' ').map((name) => [name, name.endsWith('_at') ? iso(`${alias}.${name}`) : `${alias}.${name}`]),
  );

const auditFields = plain('l', 'account_id actor action subject at');
auditFields['at'] = iso('l.at');
/** As in the log itself: an address that is too old is hidden, even if it still stands. */
const isKept = `d.at > now() - interval '${limits.auditAddressDays} days'`;
/** A person gets no address of others, who may have changed something of theirs. */
const ownAddress = `(SELECT d.address FROM audit_addresses d WHERE d.entry_id = l.id AND d.actor = $1 AND ${isKept})`;
const anyAddress = `(SELECT d.address FROM audit_addresses d WHERE d.entry_id = l.id AND ${isKept})`;

export const ofPerson: readonly Section[] = [
  {
    kind: 'person',
    from: 'users u',
    where: 'u.id = $1',
    key: 'u.id',
    fields: {
      user_id: 'u.id',
      ...plain('u', 'email name language email_verified two_factor_enabled created_at updated_at'),
    },
  },
  {
    kind: 'membership',
    from: 'members m JOIN accounts a ON a.id = m.account_id',
    where: 'm.user_id = $1',
    key: 'm.account_id',
    fields: { account_id: 'm.account_id', account_name: 'a.name', ...plain('m', 'role joined_at mail_off bell_off') },
  },
  {
    kind: 'notice',
    from: 'notices n',
    where: 'n.user_id = $1',
    key: `lpad(n.id::text, 19, '0')`,
    fields: {
      notice: 'n.kind',
      ...plain('n', 'account_id subject_id state reason mailed_at read_at'),
      at: iso('n.at'),
    },
  },
  {
    kind: 'session',
    from: 'sessions s',
    where: 's.user_id = $1',
    key: 's.id',
    fields: plain('s', 'ip_address user_agent account_id confirmed_at created_at updated_at expires_at'),
  },
  {
    kind: 'passkey',
    from: 'passkeys p',
    where: 'p.user_id = $1',
    key: 'p.id',
    fields: plain('p', 'name device_type backed_up created_at'),
  },
  {
    kind: 'audit',
    from: 'audit_log l',
    where: 'l.actor = $1 OR l.subject = $1',
    key: 'l.id',
    fields: { ...auditFields, address: ownAddress },
  },
];

const inAccount = (alias: string) => `${alias}.account_id = $1`;

export const ofAccount: readonly Section[] = [
  {
    kind: 'account',
    from: 'accounts a',
    where: 'a.id = $1',
    key: 'a.id',
    fields: {
      account_id: 'a.id',
      ...plain('a', 'name text_retention_hours invoice_name invoice_tax_number invoice_address created_at'),
    },
  },
  {
    kind: 'member',
    from: 'members m JOIN users u ON u.id = m.user_id',
    where: inAccount('m'),
    key: 'm.user_id',
    fields: { user_id: 'u.id', email: 'u.email', name: 'u.name', ...plain('m', 'role joined_at') },
  },
  {
    kind: 'invitation',
    from: 'invitations i',
    where: inAccount('i'),
    key: 'i.id',
    fields: plain('i', 'email role created_at expires_at'),
  },
  {
    kind: 'device',
    from: 'devices d',
    where: `${inAccount('d')} AND d.deleted_at IS NULL`,
    key: 'd.id',
    fields: {
      device_id: 'd.id',
      ...plain(
        'd',
        'name network linked phone_number state state_reason last_connected_at pace_per_minute typing_ms new_contacts_per_day client_ref created_at',
      ),
    },
  },
  {
    kind: 'key',
    from: 'api_keys k',
    where: inAccount('k'),
    key: 'k.id',
    fields: { api_key: 'k.id', ...plain('k', 'name scopes allowed_ips created_at revoked_at') },
  },
  {
    kind: 'contact',
    from: 'devices d JOIN device_contacts c ON c.device_id = d.id',
    where: inAccount('d'),
    key: `c.device_id || ' ' || c.recipient`,
    fields: { device_id: 'c.device_id', phone: 'c.recipient', ...plain('c', 'wrote_at heard_at seen_at') },
  },
  {
    // The kind `contact` is older: it means people known to a device.
    kind: 'saved_contact',
    from: 'contacts s',
    where: inAccount('s'),
    key: 's.id',
    fields: {
      contact_id: 's.id',
      ...plain('s', 'phone name locale time_zone attributes lists consent_source consent_at created_at updated_at'),
    },
  },
  {
    kind: 'conversation',
    from: 'conversations v',
    where: `${inAccount('v')} AND v.alias_of IS NULL`,
    key: 'v.id',
    fields: {
      conversation_id: 'v.id',
      ...plain('v', 'device_id type user_id phone name unread last_message_at created_at'),
    },
  },
  {
    kind: 'template_version',
    from: 'template_versions v JOIN templates t ON t.id = v.template_id',
    where: inAccount('t'),
    key: `v.template_id || ' ' || lpad(v.version::text, 9, '0')`,
    fields: {
      template_id: 't.id',
      ...plain('t', 'name archived_at'),
      ...plain('v', 'version text footer created_by created_at'),
    },
  },
  {
    kind: 'period',
    from: 'subscription_periods p',
    where: inAccount('p'),
    key: 'p.id::text',
    fields: { period_id: 'p.id', ...plain('p', 'plan_name starts_at ends_at initial_quota taken_quota') },
  },
  {
    kind: 'renewal',
    from: 'renewals r',
    where: inAccount('r'),
    key: 'r.id',
    fields: {
      renewal_id: 'r.id',
      ...plain('r', 'plan_name price_rupiah method state created_at paid_at period_id'),
      ...plain('r', 'invoice_name invoice_tax_number invoice_address'),
    },
  },
  {
    kind: 'ledger_entry',
    from: 'ledger_entries e',
    where: inAccount('e'),
    key: 'e.id',
    fields: { entry_id: 'e.id', ...plain('e', 'renewal_id kind amount_rupiah provider provider_payment created_at') },
  },
  {
    kind: 'audit',
    from: 'audit_log l',
    where: inAccount('l'),
    key: 'l.id',
    fields: { ...auditFields, address: anyAddress },
  },
];
