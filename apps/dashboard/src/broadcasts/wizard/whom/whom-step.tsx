import { useTexts } from '../../../i18n/texts.js';
import { Panel } from '../../../ui/layout/panel.js';
import { Choice } from '../../fields/choice.js';
import type { Drafting } from '../draft/use-draft.js';
import { ContactsChoice } from './contacts-choice.js';
import { FileChoice } from './file-choice.js';
import { PasteField } from './paste-field.js';
import { whomTexts } from './texts.js';

export function WhomStep({ drafting }: { drafting: Drafting }) {
  const t = useTexts(whomTexts);
  const { draft, change } = drafting;
  return (
    <Panel className="flex flex-col gap-5 p-5">
      <Choice
        label={t.title}
        name="audience"
        value={draft.audience}
        choices={[
          { value: 'file', label: t.kinds.file },
          { value: 'paste', label: t.kinds.paste },
          { value: 'contacts', label: t.kinds.contacts },
        ]}
        onChange={(audience) => change({ audience })}
      />
      {draft.audience === 'file' && <FileChoice drafting={drafting} />}
      {draft.audience === 'paste' && <PasteField drafting={drafting} />}
      {draft.audience === 'contacts' && <ContactsChoice drafting={drafting} />}
    </Panel>
  );
}
