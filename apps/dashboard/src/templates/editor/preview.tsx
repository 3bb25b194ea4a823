import {
  countCodePoints,
  limits,
  nameKey,
  type ParsedTemplate,
  parseTemplate,
  variablesOf,
} from '@kurir/contracts/dashboard';
import { type ReactNode, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { formatPhone } from '../../format/phone.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Meter } from '../../ui/meter.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { templateTexts } from '../texts.js';
import type { Draft } from './drafts.js';
import { isAlikeForMost, renderSample, sampleNumber } from './samples.js';

/** Renders in the browser, with the program that the gateway uses too. */
export function Preview({ draft }: { draft: Draft }) {
  const t = useTexts(templateTexts);
  const parsing = parseTemplate(draft.text, draft.footer);
  return (
    <Panel className="min-w-0" aria-label={t.preview}>
      <PanelHead title={t.preview} note={t.previewNote} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {draft.text.trim() === '' || !parsing.ok ? (
          <p className="text-sm text-ink-soft">{t.fixFirst}</p>
        ) : (
          <Samples template={parsing.template} />
        )}
      </div>
    </Panel>
  );
}

function Samples({ template }: { template: ParsedTemplate }) {
  const t = useTexts(templateTexts);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [person, setPerson] = useState(0);
  const variables = variablesOf(template);
  return (
    <>
      {variables.length === 0 && <p className="text-sm text-ink-soft">{t.noValues}</p>}
      <div className="grid gap-4 empty:hidden sm:grid-cols-2">
        {variables.map(({ name, required }) => (
          <Field key={nameKey(name)} label={name} hint={required ? undefined : t.fallbackHint}>
            {(links) => (
              <Input
                {...links}
                value={values[nameKey(name)] ?? ''}
                onChange={({ target }) => setValues((before) => ({ ...before, [nameKey(name)]: target.value }))}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="tabular text-sm text-ink-soft">{formatPhone(sampleNumber(person))}</span>
        <Button size="small" onClick={() => setPerson((before) => before + 1)}>
          {t.anotherPerson}
        </Button>
      </div>
      <Outcome template={template} values={values} person={person} />
      {isAlikeForMost(template) && (
        <Notice tone="warn" title={t.alikeTitle}>
          {t.alikeNote}
        </Notice>
      )}
    </>
  );
}

type OutcomeProps = { template: ParsedTemplate; values: Readonly<Record<string, string>>; person: number };

function Outcome({ template, values, person }: OutcomeProps): ReactNode {
  const t = useTexts(templateTexts);
  const rendering = renderSample(template, values, person);
  if (rendering.kind === 'missing') return <Notice tone="bad">{t.missing(rendering.names.join(', '))}</Notice>;
  if (rendering.kind === 'refused') return <Notice tone="bad">{t.refused[rendering.reason]}</Notice>;
  return (
    <>
      <p
        data-testid="rendered"
        dir="auto"
        className="rounded-lg rounded-tr-sm bg-accent-soft px-4 py-3 text-sm leading-relaxed break-words whitespace-pre-wrap"
      >
        {rendering.text}
      </p>
      <Meter label={t.length} used={countCodePoints(rendering.text)} total={limits.messageMaxCodePoints} />
    </>
  );
}
