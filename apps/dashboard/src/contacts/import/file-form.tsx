import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveText } from '../../http/save-text.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/layout/panel.js';
import { DropArea } from '../../uploads/drop-area.js';
import { FileFailure } from './file-failure.js';
import { ImportForm } from './import-form.js';
import { sampleFile } from './sample-file.js';
import { importTexts } from './texts.js';
import { useSendFile } from './use-send-file.js';

/** Asks for a file first, and then how to import it. */
export function FileForm({ onStarted }: { onStarted: (importId: string) => void }) {
  const t = useTexts(importTexts);
  const language = useLanguage();
  const { mutate, isPending, share, data, error } = useSendFile();
  const sent = isPending || typeof data === 'string' ? undefined : data;
  // Each file has its own columns, so the choices begin anew.
  const [count, setCount] = useState(0);
  return (
    <div className="flex flex-col gap-6">
      <Panel className="flex flex-col gap-5 p-5">
        <DropArea
          name={sent?.name ?? null}
          share={isPending ? share : null}
          onFile={(file) => {
            setCount(count + 1);
            mutate(file);
          }}
        />
        <Button
          look="quiet"
          size="small"
          className="self-center"
          onClick={() => saveText(t.sampleName, sampleFile(language))}
        >
          <Download aria-hidden className="size-4" />
          {t.sample}
        </Button>
        <FileFailure failure={error} code={typeof data === 'string' ? data : null} />
      </Panel>
      {sent !== undefined && <ImportForm key={count} sent={sent} onStarted={onStarted} />}
    </div>
  );
}
