import type { Database } from './connect.js';

/** Whether the user of this connection could change the audit log: as a superuser, or as the owner of its table. */
export async function canChangeAudit({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ can: boolean }>(
    `SELECT pg_has_role(relowner, 'MEMBER') AS can FROM pg_class WHERE oid = 'audit_log'::regclass`,
  );
  return rows[0]?.can === true;
}
