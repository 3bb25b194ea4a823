/** What a person must do about a session that ended and will not come back by itself; null when nothing. */
import type { SessionEnd } from '@kurir/network';

export function instructionFor({ reason, next }: SessionEnd): string | null {
  if (next !== 'wait') return null;
  if (reason === 'client_outdated') return 'The network takes this version no more: update Kurir.';
  if (reason !== 'credentials_invalid') return null;
  return 'What is stored of the device cannot be read. Start with the KURIR_MASTER_KEY under which it was linked; if that is lost, unlink it, set its proxy again and link it.';
}
