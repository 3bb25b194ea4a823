import { givenSuppressionReasons, type SuppressionScope, suppressionScopes } from '@kurir/contracts/dashboard';
import { Field } from '../form/field.js';
import { Select } from '../form/select.js';
import { useTexts } from '../i18n/texts.js';
import { reasonWords, suppressionTexts } from './texts.js';

export type GivenReason = (typeof givenSuppressionReasons)[number];
export type Choice = { readonly scope: SuppressionScope; readonly reason: GivenReason };

type ChoiceFieldsProps = { choice: Choice; onChange: (choice: Choice) => void };

/** The messages that a person gets no more, and the reason. */
export function ChoiceFields({ choice, onChange }: ChoiceFieldsProps) {
  const t = useTexts(suppressionTexts);
  const reasons = useTexts(reasonWords);
  const choose = <V extends string>(values: readonly V[], text: string, chosen: (value: V) => void) => {
    const value = values.find((one) => one === text);
    if (value !== undefined) chosen(value);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t.scope}>
        {(links) => (
          <Select
            {...links}
            value={choice.scope}
            onChange={({ target }) =>
              choose(suppressionScopes, target.value, (scope) => onChange({ ...choice, scope }))
            }
          >
            {suppressionScopes.map((scope) => (
              <option key={scope} value={scope}>
                {t.scopes[scope]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.reason}>
        {(links) => (
          <Select
            {...links}
            value={choice.reason}
            onChange={({ target }) =>
              choose(givenSuppressionReasons, target.value, (reason) => onChange({ ...choice, reason }))
            }
          >
            {givenSuppressionReasons.map((reason) => (
              <option key={reason} value={reason}>
                {reasons[reason]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
