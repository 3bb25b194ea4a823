import { useTexts } from '../../../i18n/texts.js';
import { TextField } from '../../../templates/editor/text-field.js';
import { Panel } from '../../../ui/layout/panel.js';
import { categoryTexts } from '../../category-texts.js';
import { Choice } from '../../fields/choice.js';
import type { Drafting } from '../draft/use-draft.js';
import { useList } from '../draft/use-list.js';
import { useMessage } from '../draft/use-message.js';
import { snippetOf, variableOf } from '../draft/variables.js';
import { ColumnChoices } from './column-choices.js';
import { FooterField } from './footer-field.js';
import { Preview } from './preview.js';
import { TemplateChoice } from './template-choice.js';
import { messageStepTexts } from './texts.js';

const nameLike = /^(nama|name)\b/i;

/** A code is no message to many. */
const offered = ['marketing', 'transactional'] as const;

export function MessageStep({ drafting }: { drafting: Drafting }) {
  const t = useTexts(messageStepTexts);
  const categories = useTexts(categoryTexts);
  const { draft, change } = drafting;
  const list = useList(draft);
  const message = useMessage(draft, list.columns);
  const snippets = list.columns.flatMap((column) => {
    const name = variableOf(column);
    if (name === null) return [];
    // The name of a contact is called `name` everywhere but in the texts of people.
    const shown = draft.audience === 'contacts' && column === 'name' ? t.nameVariable : name;
    return [{ label: shown, snippet: snippetOf(shown, nameLike.test(name) ? t.nameFallback : null) }];
  });
  return (
    <div className="grid items-start gap-6 *:min-w-0 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel className="flex flex-col gap-5 p-5">
        <Choice
          label={t.category}
          name="category"
          value={draft.category}
          choices={offered.map((value) => ({ value, label: categories[value], note: t.categoryNotes[value] }))}
          onChange={(category) => change({ category })}
        />
        <Choice
          label={t.from}
          name="text-from"
          value={draft.textFrom}
          choices={[
            { value: 'own', label: t.froms.own },
            { value: 'template', label: t.froms.template },
          ]}
          onChange={(textFrom) => change({ textFrom })}
        />
        {draft.textFrom === 'own' ? (
          <>
            <TextField
              text={draft.text}
              readOnly={false}
              onChange={(text) => change({ text })}
              {...(snippets.length === 0 ? {} : { snippets })}
            />
            <FooterField drafting={drafting} />
          </>
        ) : (
          <TemplateChoice drafting={drafting} />
        )}
        <ColumnChoices drafting={drafting} bindings={message.bindings} columns={list.columns} />
      </Panel>
      <Preview message={message} people={list.people} />
    </div>
  );
}
