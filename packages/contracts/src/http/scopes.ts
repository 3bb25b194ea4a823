/** The rights that a key can have. A key without scopes may do everything. */
export type Scope =
  | 'messages:send'
  | 'messages:read'
  | 'presence:send'
  | 'account:read'
  | 'account:renew'
  | 'devices:read'
  | 'devices:write'
  | 'devices:disconnect'
  | 'conversations:read'
  | 'conversations:write'
  | 'contacts:read'
  | 'contacts:write'
  | 'events:read'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'broadcasts:read'
  | 'broadcasts:write'
  | 'audit:read'
  | 'requests:read';

export const scopes = [
  'messages:send',
  'messages:read',
  'presence:send',
  'account:read',
  'account:renew',
  'devices:read',
  'devices:write',
  'devices:disconnect',
  'conversations:read',
  'conversations:write',
  'contacts:read',
  'contacts:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'broadcasts:read',
  'broadcasts:write',
  'audit:read',
  'requests:read',
] as const satisfies readonly Scope[];
