/**
 * The address of Postgres. As in libpq, it may name several servers, of which one is the primary:
 * `postgresql://user@one:5432,two:5432/name`.
 */
import { z } from 'zod';

const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** Returns an address for each server that `url` names. */
export function urlsOfServers(url: string): string[] {
  const [, before = '', servers = '', after = ''] = parts.exec(url) ?? [];
  return before === '' ? [url] : servers.split(',').map((server) => `${before}${server}${after}`);
}

const asked = (url: string, parameter: string) => new URL(url).searchParams.get(parameter);

const secured = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** A server that may only be read is always passed over, so both words mean the same. */
const wanted = ['read-write', 'primary'];

const oneServer = z.url({ protocol: /^postgres(ql)?$/ });

function problemOf(text: string): string | null {
  const [first = '', ...more] = urlsOfServers(text);
  if ([first, ...more].some((url) => !oneServer.safeParse(url).success))
    return 'must be an address starting with postgresql:// or postgres://, with commas between several servers';
  const [mode, target] = [asked(first, 'sslmode'), asked(first, 'target_session_attrs')];
  if (mode !== null && !secured.includes(mode)) return `has an sslmode that Kurir does not know: ${secured.join(', ')}`;
  if (mode === 'verify-ca' && asked(first, 'sslrootcert') === null)
    return 'has sslmode=verify-ca, which needs the file of the CA: sslrootcert';
  if (target !== null && !wanted.includes(target))
    return `has a target_session_attrs that Kurir does not know: ${wanted.join(', ')}`;
  return null;
}

export const postgresUrl = z.string('must be the address of Postgres').superRefine((text, context) => {
  const message = problemOf(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
