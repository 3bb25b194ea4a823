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
  | 'events:read';

export const scopes = [
  'messages:send',
  'messages:read',
  'presence:send',
  'account:read',
  'account:renew',
  'devices:read',
  'devices:write',
  'devices:disconnect',
  'events:read',
] as const satisfies readonly Scope[];
