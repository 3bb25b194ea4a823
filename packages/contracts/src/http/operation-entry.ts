/** The types of an operation of the route table. */
import type { z } from 'zod';
import type { Access, MemberRole } from './access.js';
import type { AuditAction } from './audit-actions.js';
import type { ErrorCode } from './errors.js';
import type { Scope } from './scopes.js';

/** The uses of an operation that add a row to the audit log. A message that a key sends is its own record. */
export type AuditRule = {
  readonly whose: 'all' | 'people';
  /** More than one action: the request decides which it is. */
  readonly actions: readonly [AuditAction, ...AuditAction[]];
};

type AnyEntry = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A parameter stands as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** Null: the operation changes nothing that a member would look for in the log later. */
  readonly audit: AuditRule | null;
  readonly body: z.ZodType | null;
  readonly query: z.ZodType | null;
  readonly data: z.ZodType;
  /** The envelope's `message` on success. */
  readonly message: string;
  /**
   * Members may use it while an operator has suspended the account. They may use each `GET` anyway. It reads, takes
   * something back, or concerns only the person.
   */
  readonly whileSuspended?: true;
  /** The refusals in addition to those of request-errors.ts. */
  readonly errors: readonly ErrorCode[];
};

/**
 * The things of the account that a test key may use with the operation. `sandbox`: devices of a sandbox network, and what
 * belongs to them. `any`: all, because the operation shows nothing of a device and changes nothing. `never`: none.
 */
export type TestKeys = 'sandbox' | 'any' | 'never';

/** An operation of the public api. Keys use it, and people unless `access` is null. */
export type PublicOperation = AnyEntry & {
  /** The scope that a key needs. */
  readonly scope: Scope;
  readonly testKeys: TestKeys;
  /** The role that a person needs in the account. Null: only a key can use the operation. */
  readonly access: MemberRole | null;
  /** Agents may use it too, in a conversation. */
  readonly agents?: true;
  /** Whether the header X-Device-Id is required. */
  readonly device: boolean;
  /**
   * The effect of a second use of one signature: the first answer again, or a refusal. `harmless`: a second use
   * changes nothing, so the server answers anew.
   */
  readonly repeat: 'first-answer' | 'refuse' | 'harmless';
  readonly maxBodyBytes: number;
  readonly confirmed?: never;
  /** The handler writes a file. Absent: JSON in the envelope. A refusal is always JSON. */
  readonly answers?: 'file';
  /** With `Accept: text/event-stream`, the handler writes a stream instead of returning data. */
  readonly streams?: true;
};

/** An operation that only people use. */
export type OperationForPeople = AnyEntry & {
  readonly access: Access;
  readonly agents?: never;
  /**
   * The session needs a confirmation of the last `limits.confirmationMinutes` (`confirmSession`). `true`: only that of a
   * person with two-factor sign-in. `always`: that of everybody.
   */
  readonly confirmed?: true | 'always';
  /** A file, or a stream of events. Absent: JSON in the envelope. */
  readonly answers?: 'file' | 'events';
  readonly scope?: never;
  readonly testKeys?: never;
  readonly device?: never;
  readonly repeat?: never;
  readonly maxBodyBytes?: never;
  readonly streams?: never;
};

export type OperationEntry = PublicOperation | OperationForPeople;
