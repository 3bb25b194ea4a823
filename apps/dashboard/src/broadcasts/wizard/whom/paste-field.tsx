import { useMemo } from 'react';
import { Field } from '../../../form/field.js';
import { TextArea } from '../../../form/input.js';
import { useTexts } from '../../../i18n/texts.js';
import { Notice } from '../../../ui/notice.js';
import { uploadTexts } from '../../../uploads/texts.js';
import { useCount } from '../../use-count.js';
import type { Drafting } from '../draft/use-draft.js';
import { readPasted } from '../draft/read-pasted.js';
import { whomTexts } from './texts.js';

const shownLines = 5;

export function PasteField({ drafting: { draft, change } }: { drafting: Drafting }) {
  const t = useTexts(whomTexts);
  const uploads = useTexts(uploadTexts);
  const count = useCount();
  const { rows, unread, spoiled, columns } = useMemo(() => readPasted(draft.pasted), [draft.pasted]);
  const named = (lines: readonly number[]): string => {
    const more = lines.length - shownLines;
    const shown = lines.slice(0, shownLines).map((line) => t.line(count(line)));
    return [...shown, ...(more > 0 ? [t.more(count(more))] : [])].join(', ');
  };
  return (
    <div className="flex flex-col gap-3">
      <Field label={t.paste} hint={t.pasteHint}>
        {(links) => (
          <TextArea
            {...links}
            rows={8}
            placeholder={t.pastePlaceholder}
            value={draft.pasted}
            onChange={({ target }) => change({ pasted: target.value })}
          />
        )}
      </Field>
      {rows.length > 0 && (
        <Notice tone="ok" title={t.read(count(rows.length))}>
          {columns.length > 0 && `${t.columns}: ${columns.join(', ')}`}
        </Notice>
      )}
      {spoiled.length > 0 && (
        <Notice tone="bad" title={uploads.spoiledTitle}>
          {uploads.spoiled} {t.spoiledLines(named(spoiled))}
        </Notice>
      )}
      {unread.length > 0 && <Notice tone="warn">{t.unread(count(unread.length), named(unread))}</Notice>}
    </div>
  );
}
