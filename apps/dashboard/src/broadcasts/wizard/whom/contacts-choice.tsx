import { useQuery } from '@tanstack/react-query';
import { Field } from '../../../form/field.js';
import { Input } from '../../../form/input.js';
import { Select } from '../../../form/select.js';
import { Switch } from '../../../form/switch.js';
import { formatPhone } from '../../../format/phone.js';
import { readQuery } from '../../../http/query.js';
import { useTexts } from '../../../i18n/texts.js';
import { Notice } from '../../../ui/notice.js';
import { uploadTexts } from '../../../uploads/texts.js';
import { BroadcastFailure } from '../../failure.js';
import { useCount } from '../../use-count.js';
import type { ContactsFilter } from '../draft/draft.js';
import type { Drafting } from '../draft/use-draft.js';
import { useContacts } from '../draft/use-list.js';
import { whomTexts } from './texts.js';

const shownPeople = 5;

/** All contacts, or those of a list or with an attribute. */
export function ContactsChoice({ drafting: { draft, change } }: { drafting: Drafting }) {
  const t = useTexts(whomTexts);
  const count = useCount();
  const { contacts } = draft;
  const lists = useQuery(readQuery('listContactLists', {}));
  const set = (part: Partial<ContactsFilter>) => change({ contacts: { ...contacts, ...part } });
  const text = (field: 'attribute' | 'value' | 'q', label: string, hint?: string) => (
    <Field label={label} hint={hint}>
      {(links) => (
        <Input {...links} value={contacts[field]} onChange={({ target }) => set({ [field]: target.value })} />
      )}
    </Field>
  );
  return (
    <div className="flex flex-col gap-4">
      <BroadcastFailure failure={lists.error} onRetry={lists.refetch} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t.list}>
          {(links) => (
            <Select
              {...links}
              className="w-full"
              value={contacts.list}
              onChange={({ target }) => set({ list: target.value })}
            >
              <option value="">{t.allContacts}</option>
              {lists.data?.lists.map(({ name, contacts: some }) => (
                <option key={name} value={name}>
                  {`${name} (${count(some)})`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {text('q', t.search)}
        {text('attribute', t.attribute, t.attributeHint)}
        {contacts.attribute.trim() !== '' && text('value', t.attributeValue)}
      </div>
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 text-sm font-medium">
        {t.consent}
        <Switch
          aria-label={t.consent}
          checked={contacts.hasConsent}
          onCheckedChange={(hasConsent) => set({ hasConsent })}
        />
      </label>
      <FirstContacts drafting={{ draft }} />
    </div>
  );
}

function FirstContacts({ drafting: { draft } }: { drafting: Pick<Drafting, 'draft'> }) {
  const t = useTexts(whomTexts);
  const { firstRows } = useTexts(uploadTexts);
  const { data, error, refetch } = useContacts(draft);
  if (data === undefined) return <BroadcastFailure failure={error} onRetry={refetch} />;
  if (data.contacts.length === 0) return <Notice tone="warn">{t.noContacts}</Notice>;
  return (
    <section aria-label={firstRows} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">{firstRows}</h3>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {data.contacts.slice(0, shownPeople).map(({ contact_id: id, name, phone }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 px-4 py-2.5 text-sm">
            <span className="min-w-0 break-words">{name}</span>
            <span className="text-ink-soft tabular">{formatPhone(phone)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
