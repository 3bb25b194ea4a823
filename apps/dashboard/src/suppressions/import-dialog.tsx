import { limits } from '@kurir/contracts/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Field } from '../form/field.js';
import { Input, TextArea } from '../form/input.js';
import { formatCount } from '../format/format.js';
import { call } from '../http/call.js';
import { queryKey } from '../http/query.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { type Choice, ChoiceFields } from './choice-fields.js';
import { readNumbers } from './read-numbers.js';
import { suppressionTexts } from './texts.js';

const shownLines = 20;

type Done = { readonly added: number; readonly cancelled: number };

/** Sends the numbers in calls of a thousand. A second run adds nothing twice. */
function useImport() {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    mutationFn: async ({ phones, choice }: { phones: readonly string[]; choice: Choice }): Promise<Done> => {
      let sum: Done = { added: 0, cancelled: 0 };
      for (let from = 0; from < phones.length; from += limits.suppressionsMax) {
        setDone(from);
        const part = phones.slice(from, from + limits.suppressionsMax);
        const { added, cancelled } = await call('addSuppressions', { body: { phones: part, ...choice } });
        sum = { added: sum.added + added, cancelled: sum.cancelled + cancelled };
      }
      return sum;
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKey('listSuppressions') }),
  });
  return { ...mutation, done };
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressionTexts);
  const language = useLanguage();
  const { country } = useMe().account;
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<string | null>(null);
  const [choice, setChoice] = useState<Choice>({ scope: 'marketing', reason: 'import' });
  const { phones, refusedLines } = useMemo(() => readNumbers(file ?? pasted, country), [file, pasted, country]);
  const { mutate, isPending, error, data, done } = useImport();
  // A large file would be slow as the text of a field.
  const readFile = async (chosen: File | undefined) => setFile(chosen === undefined ? null : await chosen.text());
  const count = (value: number) => formatCount(value, language);
  return (
    <Dialog open onClose={onClose} title={t.import} note={t.importNote}>
      <div className="flex flex-col gap-4">
        {data === undefined && (
          <>
            <Field label={t.file}>
              {(links) => (
                <Input
                  {...links}
                  type="file"
                  accept=".csv,.txt,text/csv,text/plain"
                  className="py-1.5"
                  onChange={({ target }) => void readFile(target.files?.[0])}
                />
              )}
            </Field>
            {file === null && (
              <Field label={t.numbers}>
                {(links) => (
                  <TextArea {...links} rows={6} value={pasted} onChange={({ target }) => setPasted(target.value)} />
                )}
              </Field>
            )}
            <ChoiceFields choice={choice} onChange={setChoice} />
          </>
        )}
        <RefusedLines lines={refusedLines} />
        <FailureNotice failure={error} />
        {data === undefined ? (
          <Button
            look="primary"
            size="large"
            busy={isPending}
            disabled={phones.length === 0}
            onClick={() => mutate({ phones, choice })}
          >
            {isPending ? t.importing(count(done), count(phones.length)) : t.importAction(count(phones.length))}
          </Button>
        ) : (
          <>
            <Notice tone="ok" live>
              {t.imported(count(data.added), count(data.cancelled))}
            </Notice>
            <Button look="primary" size="large" onClick={onClose}>
              {t.close}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function RefusedLines({ lines }: { lines: readonly number[] }) {
  const t = useTexts(suppressionTexts);
  const language = useLanguage();
  if (lines.length === 0) return null;
  const more = lines.length - shownLines;
  const named = lines.slice(0, shownLines).map((line) => t.line(formatCount(line, language)));
  return (
    <Notice tone="warn" title={t.refusedLines(formatCount(lines.length, language))}>
      {[...named, ...(more > 0 ? [t.moreLines(formatCount(more, language))] : [])].join(', ')}
    </Notice>
  );
}
