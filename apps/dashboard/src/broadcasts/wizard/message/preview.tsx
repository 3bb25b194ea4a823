import { type ParsedTemplate, parseTemplate, renderTemplate } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { formatPhone } from '../../../format/phone.js';
import { useTexts } from '../../../i18n/texts.js';
import { isAlikeForMost } from '../../../templates/editor/samples.js';
import { templateTexts } from '../../../templates/texts.js';
import { Button } from '../../../ui/button.js';
import { Panel, PanelHead } from '../../../ui/layout/panel.js';
import { Notice } from '../../../ui/notice.js';
import type { Person } from '../draft/use-list.js';
import type { Message } from '../draft/use-message.js';
import { valuesOf } from '../draft/variables.js';
import { digitsOf } from '../../../uploads/number-cells.js';
import { messageStepTexts } from './texts.js';

type PreviewProps = { message: Message; people: readonly Person[] };

/** Renders the text for one person after the other. The broadcast may make other random choices. */
export function Preview({ message, people }: PreviewProps) {
  const t = useTexts(messageStepTexts);
  const parsing = parseTemplate(message.text, message.footer);
  const isWritten = message.text.trim() !== '' && parsing.ok;
  return (
    <Panel className="lg:sticky lg:top-6" aria-label={t.preview}>
      <PanelHead title={t.preview} note={t.previewNote} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {isWritten ? (
          <Rendered template={parsing.template} message={message} people={people} />
        ) : (
          <p className="text-sm text-ink-soft">{t.writeFirst}</p>
        )}
      </div>
    </Panel>
  );
}

function Rendered({ template, message, people }: PreviewProps & { template: ParsedTemplate }) {
  const t = useTexts(messageStepTexts);
  const words = useTexts(templateTexts);
  const [at, setAt] = useState(0);
  const person = people[at % Math.max(people.length, 1)];
  const phone = person?.phone ?? '';
  const recipient = digitsOf(phone) ?? phone;
  const values = valuesOf(message.bindings, person?.cells ?? {});
  const rendering = renderTemplate(template, values, { recipient, seed: 'preview' });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-sm text-ink-soft tabular">{formatPhone(recipient)}</span>
        {people.length > 1 && (
          <Button size="small" onClick={() => setAt(at + 1)}>
            {t.next}
          </Button>
        )}
      </div>
      {rendering.kind === 'missing' && <Notice tone="bad">{t.missing(rendering.names.join(', '))}</Notice>}
      {rendering.kind === 'refused' && <Notice tone="bad">{t.refused[rendering.reason]}</Notice>}
      {rendering.kind === 'text' && (
        <p
          data-testid="rendered"
          dir="auto"
          className="rounded-lg rounded-tr-sm bg-accent-soft px-4 py-3 text-sm leading-relaxed break-words whitespace-pre-wrap"
        >
          {rendering.text}
        </p>
      )}
      {isAlikeForMost(template) && (
        <Notice tone="warn" title={words.alikeTitle}>
          {words.alikeNote}
        </Notice>
      )}
    </>
  );
}
