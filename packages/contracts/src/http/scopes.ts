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
  | 'events:read'
  | 'webhooks:read'
  | 'webhooks:write';

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
  'events:read',
  'webhooks:read',
  'webhooks:write',
] as const satisfies readonly Scope[];
