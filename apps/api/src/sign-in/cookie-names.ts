/** `__Host-` binds a cookie to this host over https; browsers refuse such a name without Secure. */
const names = [
  'session_token',
  'session_data',
  'account_data',
  'dont_remember',
  'two_factor',
  'trust_device',
  'better-auth-passkey',
] as const;

export function cookieNames(isSecure: boolean): Record<string, { readonly name: string }> {
  const prefix = isSecure ? '__Host-kurir' : 'kurir';
  return Object.fromEntries(names.map((name) => [name, { name: `${prefix}.${name}` }]));
}
