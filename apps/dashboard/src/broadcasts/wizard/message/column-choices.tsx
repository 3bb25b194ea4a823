import { Field } from '../../../form/field.js';
import { Select } from '../../../form/select.js';
import { useTexts } from '../../../i18n/texts.js';
import { Notice } from '../../../ui/notice.js';
import type { Drafting } from '../draft/use-draft.js';
import type { Binding } from '../draft/variables.js';
import { messageStepTexts } from './texts.js';

type ColumnChoicesProps = { drafting: Drafting; bindings: readonly Binding[]; columns: readonly string[] };

/** Asks for the column of each variable that no column is named after. */
export function ColumnChoices({ drafting: { draft, change }, bindings, columns }: ColumnChoicesProps) {
  const t = useTexts(messageStepTexts);
  const open = columns.length === 0 || draft.audience === 'contacts' ? [] : bindings.filter(({ isChosen }) => isChosen);
  const unfilled = bindings.filter(({ required, column }) => required && column === null);
  const choose = (key: string, column: string) => change({ columnOf: { ...draft.columnOf, [key]: column } });
  return (
    <>
      {open.map(({ key, name, column }) => (
        <Field key={key} label={t.bindingOf(name)}>
          {(links) => (
            <Select
              {...links}
              className="w-full sm:max-w-80"
              value={column ?? ''}
              onChange={({ target }) => choose(key, target.value)}
            >
              <option value="">{t.noColumn}</option>
              {columns.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ))}
      {unfilled.length > 0 && (
        <Notice tone="warn">{t.unfilled(unfilled.map(({ name }) => `{{${name}}}`).join(', '))}</Notice>
      )}
    </>
  );
}
