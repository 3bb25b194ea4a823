import { limits } from '@kurir/contracts/dashboard';
import { ChevronRight } from 'lucide-react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { useTexts } from '../../i18n/texts.js';
import { AttributesField } from '../fields/attributes-field.js';
import { ConsentField } from '../fields/consent-field.js';
import { ListsField } from '../fields/lists-field.js';
import { type ContactDraft, hasWrongAttribute } from './contact-draft.js';
import { formTexts } from './texts.js';
import { ZoneFields } from './zone-fields.js';

type ContactFieldsProps = { draft: ContactDraft; onChange: (draft: ContactDraft) => void };

/** The fields of a contact, apart from its number. */
export function ContactFields({ draft, onChange }: ContactFieldsProps) {
  const t = useTexts(formTexts);
  const set = (part: Partial<ContactDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <Field label={t.name} optional={t.optional}>
        {(links) => (
          <Input
            {...links}
            maxLength={limits.contactNameMaxLength}
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
      </Field>
      <ListsField chosen={draft.lists} onChange={(lists) => set({ lists })} />
      <AttributesField
        attributes={draft.attributes}
        wrong={hasWrongAttribute(draft.attributes)}
        onChange={(attributes) => set({ attributes })}
      />
      <ConsentField source={draft.consent} onChange={(consent) => set({ consent })} />
      <details className="group">
        <summary className="flex min-h-10 cursor-pointer items-center gap-1.5 text-sm font-medium">
          <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
          {t.more}
        </summary>
        <div className="pt-2">
          <ZoneFields draft={draft} onChange={set} />
        </div>
      </details>
    </>
  );
}
