import { useState } from 'react';
import { Panel } from '../../ui/layout/panel.js';
import { DropArea } from '../../uploads/drop-area.js';
import { FileFailure } from './file-failure.js';
import { ImportForm } from './import-form.js';
import { useSendFile } from './use-send-file.js';

/** Asks for a file first, and then how to import it. */
export function FileForm({ onStarted }: { onStarted: (importId: string) => void }) {
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
        <FileFailure failure={error} code={typeof data === 'string' ? data : null} />
      </Panel>
      {sent !== undefined && <ImportForm key={count} sent={sent} onStarted={onStarted} />}
    </div>
  );
}
