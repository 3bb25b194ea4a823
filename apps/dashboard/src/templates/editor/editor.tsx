import { limits, parseTemplate, placeInText } from '@kurir/contracts/dashboard';
import type { FormEvent } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { templateTexts } from '../texts.js';
import type { Drafting } from './drafts.js';
import { Preview } from './preview.js';
import { TextField } from './text-field.js';
import { useTooLong } from './use-too-long.js';

type EditorProps = {
  drafting: Drafting;
  readOnly: boolean;
  busy: boolean;
  failure: Error | null;
  onSave: () => void;
};

export function Editor({ drafting, readOnly, busy, failure, onSave }: EditorProps) {
  const t = useTexts(templateTexts);
  const { draft, isChanged, change, discard } = drafting;
  const isNew = draft.base === 0;
  const isWritten = draft.text.trim() !== '' && (!isNew || draft.name.trim() !== '');
  const maySave = isChanged && isWritten && parseTemplate(draft.text, draft.footer).ok;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (maySave) onSave();
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel className="min-w-0">
        <form noValidate className="flex flex-col gap-5 p-5" onSubmit={submit}>
          {isNew && (
            <Field label={t.name}>
              {(links) => (
                <Input
                  {...links}
                  autoFocus
                  maxLength={limits.templateNameMaxLength}
                  placeholder={t.namePlaceholder}
                  value={draft.name}
                  onChange={({ target }) => change({ name: target.value })}
                />
              )}
            </Field>
          )}
          <TextField text={draft.text} readOnly={readOnly} onChange={(text) => change({ text })} />
          <FooterField footer={draft.footer} readOnly={readOnly} onChange={(footer) => change({ footer })} />
          <FailureNotice failure={failure} />
          {!readOnly && (
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" look="primary" size="large" busy={busy} disabled={!maySave}>
                {t.save}
              </Button>
              {isChanged && (
                <>
                  <Button look="quiet" onClick={discard}>
                    {t.discard}
                  </Button>
                  <span className="text-sm text-ink-soft">{t.unsaved}</span>
                </>
              )}
            </div>
          )}
        </form>
      </Panel>
      <Preview draft={draft} />
    </div>
  );
}

type FooterFieldProps = { footer: string; readOnly: boolean; onChange: (footer: string) => void };

function FooterField({ footer, readOnly, onChange }: FooterFieldProps) {
  const t = useTexts(templateTexts);
  const tooLong = useTooLong(footer, limits.templateFooterMaxCodePoints);
  const parsing = parseTemplate('', footer);
  const [first] = parsing.ok ? [] : parsing.errors;
  const mistake = first && `${t.inFooter(placeInText(footer, first.at).character)}: ${t.problems[first.problem]}`;
  return (
    <Field label={t.footer} optional={t.optional} hint={t.footerHint} error={tooLong ?? mistake}>
      {(links) => (
        <Input
          {...links}
          dir="auto"
          placeholder={t.footerPlaceholder}
          value={footer}
          readOnly={readOnly}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
