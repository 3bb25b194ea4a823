import { refusalTextOf } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { formatCount } from '../../format/format.js';
import { addressOf } from '../../http/call.js';
import { readQuery } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { type ContactImport, isRunning } from './import-queries.js';
import { resultTexts } from './texts.js';

const shownRows = 20;

/** Why rows were refused, the first of them, and all as a file. */
export function RefusedRows({ found }: { found: ContactImport }) {
  const t = useTexts(resultTexts);
  const language = useLanguage();
  const count = (value: number) => formatCount(value, language);
  // The rows below say the same, if all of them are there.
  const hasSummary = isRunning(found) || found.refused > shownRows;
  const download = (
    <Button asChild>
      <a
        href={addressOf('exportRefusedRows', { params: { import_id: found.import_id }, query: { language } })}
        download
      >
        <Download aria-hidden className="size-4" />
        {t.download}
      </a>
    </Button>
  );
  return (
    <Panel>
      <PanelHead title={t.refusedTitle} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {hasSummary && (
          <ul className="flex flex-col gap-1.5 rounded-md bg-warn-soft px-4 py-3 text-sm">
            {found.refused_by_code.map(({ code, rows, error }) => (
              <li key={code} className="flex justify-between gap-4">
                <span className="min-w-0 break-words">
                  {refusalTextOf({ code, sameAsRow: null }, language) ?? error}
                </span>
                <span className="tabular">{count(rows)}</span>
              </li>
            ))}
          </ul>
        )}
        {!isRunning(found) && <FirstRefused found={found} />}
        <div>{download}</div>
      </div>
    </Panel>
  );
}

function FirstRefused({ found: { import_id: importId, refused } }: { found: ContactImport }) {
  const t = useTexts(resultTexts);
  const language = useLanguage();
  const { data, error, refetch } = useQuery(
    readQuery('listRefusedRows', { params: { import_id: importId }, query: { limit: shownRows } }),
  );
  if (data === undefined) return <FailureNotice failure={error} onRetry={refetch} />;
  const more = refused - data.refused.length;
  return (
    <ul className="flex flex-col divide-y divide-line text-sm">
      {data.refused.map(({ row, column, value, code, same_as_row: sameAsRow, error: sentence }) => (
        <li key={`${row} ${column}`} className="flex flex-col gap-0.5 py-2.5">
          <span className="min-w-0 break-words">
            <span className="font-medium tabular">{t.row(formatCount(row, language))}</span>
            {value !== '' && (
              <span className="text-ink-soft">
                {' '}
                · {column !== null && `${column}: `}
                {value}
              </span>
            )}
          </span>
          <span className="text-ink-soft">{refusalTextOf({ code, sameAsRow }, language) ?? sentence}</span>
        </li>
      ))}
      {more > 0 && <li className="py-2.5 text-ink-soft">{t.moreRows(formatCount(more, language))}</li>}
    </ul>
  );
}
