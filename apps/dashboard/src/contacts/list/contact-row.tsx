import { Link } from '@tanstack/react-router';
import { formatPhone } from '../../format/phone.js';
import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import type { Contact } from '../contact-queries.js';
import { listTexts } from './texts.js';

const shownLists = 3;
const shownAttributes = 3;

export function ContactRow({ contact }: { contact: Contact }) {
  const t = useTexts(listTexts);
  const { contact_id: contactId, name, phone, lists, consent } = contact;
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        to="/contacts/$contactId"
        params={{ contactId }}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-5 py-3 -outline-offset-2 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_6rem]"
      >
        <span className="min-w-0">
          <span className="block font-medium break-words">{name ?? formatPhone(phone)}</span>
          {name !== null && <span className="block text-sm text-ink-soft tabular">{formatPhone(phone)}</span>}
        </span>
        <span className="justify-self-end self-start sm:order-last sm:self-center">
          {consent !== null && <Badge tone="ok">{t.agreed}</Badge>}
        </span>
        <span className="col-span-2 flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm empty:hidden sm:col-span-1">
          {lists.slice(0, shownLists).map((list) => (
            <span key={list} className="max-w-full truncate rounded-full bg-sunken px-2 py-0.5 text-xs font-medium">
              {list}
            </span>
          ))}
          {lists.length > shownLists && <span className="text-xs text-ink-soft">+{lists.length - shownLists}</span>}
          <Attributes attributes={contact.attributes} />
        </span>
      </Link>
    </li>
  );
}

function Attributes({ attributes }: Pick<Contact, 'attributes'>) {
  const shown = Object.entries(attributes).slice(0, shownAttributes);
  if (shown.length === 0) return null;
  return (
    <span className="max-w-full truncate text-ink-soft">
      {shown.map(([key, value]) => `${key}: ${value}`).join(' · ')}
    </span>
  );
}
