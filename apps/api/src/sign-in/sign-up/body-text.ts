/** Returns a text of a body that better-auth has not checked yet, or an empty text. */
export function textOf(body: unknown, field: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : '';
  return typeof value === 'string' ? value : '';
}
