/**
 * Addresses. `4915100000001:2@s.whatsapp.net` is device 2 of a phone number. `200000000000001:2@lid` is the same device
 * under the account's LID. `_1` after the user is an agent, which `parseJid` ignores.
 */
export type JidServer = 's.whatsapp.net' | 'lid';

export type Jid = { readonly user: string; readonly device: number; readonly server: string };

const form = /^([^@:_]+)(?:_\d+)?(?::(\d+))?@(.+)$/;

export function parseJid(text: string | undefined): Jid | null {
  const found = form.exec(text ?? '');
  if (!found) return null;
  const [, user = '', device = '0', server = ''] = found;
  return { user, device: Number(device), server };
}

/** An address without a device number is that of device 0, the phone itself. */
export function writeJid(user: string, server: JidServer, device = 0): string {
  return device === 0 ? `${user}@${server}` : `${user}:${device}@${server}`;
}
