import type { DataOf } from '@kurir/contracts';
import { checkNumbers, readHome } from '@kurir/database/contacts';
import { parsePhone, phoneSentence } from '@kurir/phone-numbers';
import type { Handler } from '../operations/operation-request.js';

type Checked = DataOf<'checkContacts'>['checked'][number];

/** A text that is no number does not refuse the others. */
export const checkContacts: Handler<'checkContacts'> = async ({ caller, body }, { database }) => {
  const { country } = await readHome(database, caller.accountId);
  const asked = body.phones.map((text) => ({ text, parsed: parsePhone(text, country) }));
  const numbers = asked.flatMap(({ parsed }) => (parsed.ok ? [parsed.phone] : []));
  const known = (await checkNumbers(database, caller.accountId, numbers)).values();
  const checked = asked.map(({ text, parsed }): Checked => {
    if (!parsed.ok)
      return { asked: text, phone: null, on_network: 'no_number', at: null, error: phoneSentence(parsed.reason) };
    const { onNetwork, at } = known.next().value ?? { onNetwork: null, at: null };
    const word = onNetwork === null ? 'unknown' : onNetwork ? 'yes' : 'no';
    return { asked: text, phone: parsed.phone, on_network: word, at: at?.toISOString() ?? null, error: null };
  });
  return { checked };
};
