/** What the route table says of an operation, whether a key, a person or both may use it. */
import type { z } from 'zod';
import type { Access, MemberRole } from './access.js';
import type { AuditAction } from './audit-actions.js';
import type { ErrorCode } from './errors.js';
import type { Scope } from './scopes.js';

/** Which of its uses add a row to the audit log. A message that a key sends is its own record. */
export type AuditRule = {
  readonly whose: 'all' | 'people';
  /** More than one where the request decides between them. */
  readonly actions: readonly [AuditAction, ...AuditAction[]];
};

type AnyEntry = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** Null: it changes nothing that an account's members would look for later. */
  readonly audit: AuditRule | null;
  readonly body: z.ZodType | null;
  readonly query: z.ZodType | null;
  readonly data: z.ZodType;
  /** The envelope's `message` on success. */
  readonly message: string;
  /** Refusals beyond those that every operation of its kind can give (`commonErrors`, `dashboardErrors`, `bodyErrors`). */
  readonly errors: readonly ErrorCode[];
};

/** An operation of the public api: for keys, and for people unless `access` is null. */
export type Endpoint = AnyEntry & {
  /** What a key needs. */
  readonly scope: Scope;
  /** The role that a person of the account needs, in the dashboard; null: only a key can use it. */
  readonly access: MemberRole | null;
  /** X-Device-Id is required. */
  readonly device: boolean;
  /** What a second use of one signature gets: its first answer, a refusal, or (where nothing changes) a fresh answer. */
  readonly repeat: 'first-answer' | 'refuse' | 'harmless';
  readonly maxBodyBytes: number;
  readonly confirmed?: never;
  readonly answers?: never;
};

/** An operation that only people use. */
export type DashboardRoute = AnyEntry & {
  readonly access: Access;
  /** A person with two-factor sign-in must have given a code within the last ten minutes (`confirmSession`). */
  readonly confirmed?: true;
  /** JSON in the envelope where it is left out; else a file as it is, or a stream of events. */
  readonly answers?: 'file' | 'events';
  readonly scope?: never;
  readonly device?: never;
  readonly repeat?: never;
  readonly maxBodyBytes?: never;
};

export type OperationEntry = Endpoint | DashboardRoute;
