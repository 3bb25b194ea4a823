import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useRef } from 'react';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Spinner } from '../ui/spinner.js';
import { uploadTexts } from './texts.js';

type DropAreaProps = {
  /** The file that was chosen. */
  name: string | null;
  /** The sent part of a file that is on its way, from 0 to 1. */
  share: number | null;
  onFile: (file: File) => void;
};

/** Takes a file from the phone or from the desktop. */
export function DropArea({ name, share, onFile }: DropAreaProps) {
  const t = useTexts(uploadTexts);
  const field = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => {
    if (file !== undefined && share === null) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  return (
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      className="flex flex-col items-center gap-3 rounded-lg border-2 border-dashed border-line-strong px-4 py-5 text-center sm:py-8"
    >
      <FileSpreadsheet aria-hidden className="hidden size-8 text-ink-faint sm:block" />
      {name !== null && <p className="max-w-full font-medium break-words">{name}</p>}
      <input
        ref={field}
        type="file"
        accept=".csv,.txt,.tsv,.ndjson,.jsonl,.xlsx,.xls,text/csv,text/plain"
        aria-label={t.choose}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          take(target.files?.[0]);
          // The same file can be chosen again after it was mended.
          target.value = '';
        }}
      />
      {share === null ? (
        <Button look={name === null ? 'primary' : 'secondary'} size="large" onClick={() => field.current?.click()}>
          <Upload aria-hidden className="size-4" />
          {name === null ? t.choose : t.another}
        </Button>
      ) : (
        <p role="status" className="flex items-center gap-2 text-sm tabular">
          <Spinner />
          {t.sending(String(Math.floor(share * 100)))}
        </p>
      )}
      <p className="max-w-[44ch] text-sm text-ink-soft">
        {t.chooseNote} <span className="hidden sm:inline">{t.dropNote}</span>
      </p>
    </div>
  );
}
