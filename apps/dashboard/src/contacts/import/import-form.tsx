import { limits } from '@kurir/contracts/dashboard';
import { useId, useState } from 'react';
import { Choice } from '../../broadcasts/fields/choice.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { NumberNotices } from '../../uploads/number-notices.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { ConsentField } from '../fields/consent-field.js';
import { ListsField } from '../fields/lists-field.js';
import { ColumnsField } from './columns-field.js';
import { columnsOf, mappingOf } from './mapping.js';
import { importTexts } from './texts.js';
import type { SentFile } from './use-send-file.js';

type ImportFormProps = { sent: SentFile; onStarted: (importId: string) => void };

/** Says what the columns hold, and what else counts for everybody in the file. */
export function ImportForm({ sent: { uploadId, file }, onStarted }: ImportFormProps) {
  const t = useTexts(importTexts);
  const [columns, setColumns] = useState(() => columnsOf(file));
  const [lists, setLists] = useState<readonly string[]>([]);
  const [consent, setConsent] = useState<string | null>(null);
  const [existing, setExisting] = useState<Existing>('update');
  const start = useCall('createContactImport');
  const mapping = mappingOf(columns);
  const rows = file.preview.map(({ values }) => values);
  const phone = columns.find(({ use }) => use === 'phone');
  const trouble = () => {
    if (typeof mapping === 'string') return t.troubles[mapping];
    if (lists.length > limits.listsMax) return t.tooManyLists(String(limits.listsMax));
    return consent?.trim() === '' ? t.noConsentSource : null;
  };
  const whyNot = trouble();
  const whyNotId = useId();
  const act = () => {
    if (typeof mapping === 'string') return;
    const body = {
      upload_id: uploadId,
      mapping,
      lists: [...lists],
      ...(consent === null ? {} : { consent: { source: consent.trim() } }),
      on_existing: existing,
    };
    start.mutate({ body }, { onSuccess: ({ import_id: importId }) => onStarted(importId) });
  };
  return (
    <>
      <Panel>
        <PanelHead title={t.columns} note={t.columnsNote} />
        <div className="flex flex-col gap-4 px-5 pb-5">
          <ColumnsField columns={columns} rows={rows} onChange={(next) => setColumns([...next])} />
          <NumberNotices cells={phone === undefined ? null : rows.map((cells) => cells[phone.at] ?? '')} />
        </div>
      </Panel>
      <Panel className="flex flex-col gap-5 p-5">
        <ListsField chosen={lists} onChange={setLists} />
        <div className="flex flex-col gap-1">
          <ConsentField source={consent} onChange={setConsent} />
          {consent !== null && <p className="text-xs text-ink-faint">{t.consentNote}</p>}
        </div>
        <ExistingChoice value={existing} onChange={setExisting} />
        <FailureNotice failure={start.error} />
        <Button
          look="primary"
          size="large"
          className="w-full sm:w-auto sm:self-start"
          busy={start.isPending}
          disabled={whyNot !== null}
          aria-describedby={whyNot === null ? undefined : whyNotId}
          onClick={act}
        >
          {t.start}
        </Button>
        {whyNot !== null && (
          <p id={whyNotId} className="text-sm text-warn">
            {whyNot}
          </p>
        )}
      </Panel>
    </>
  );
}

type Existing = 'update' | 'keep';

/** Asks what to do with people whom the account knows already. */
function ExistingChoice({ value, onChange }: { value: Existing; onChange: (existing: Existing) => void }) {
  const t = useTexts(importTexts);
  const choices = (['update', 'keep'] as const).map((one) => ({
    value: one,
    label: t.existings[one],
    note: t.existingNotes[one],
  }));
  return <Choice label={t.existing} name="existing" value={value} choices={choices} onChange={onChange} />;
}
