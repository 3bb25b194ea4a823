import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/format.js';
import { ApiFailure } from '../../http/api-failure.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Notice } from '../../ui/notice.js';
import { problemSentence, problemTexts } from '../../uploads/problem-texts.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { CancelButton } from './cancel-button.js';
import { type ContactImport, isRunning, useImport } from './import-queries.js';
import { RefusedRows } from './refused-rows.js';
import { importTexts, resultTexts } from './texts.js';

type ImportStatusProps = { importId: string; onAnother: () => void };

/** The import while it runs, and its result. */
export function ImportStatus({ importId, onAnother }: ImportStatusProps) {
  const t = useTexts(resultTexts);
  const { data, error, refetch } = useImport(importId);
  const isGone = error instanceof ApiFailure && error.code === 'IMPORT_NOT_FOUND';
  return (
    <div className="flex flex-col gap-6">
      <FailureNotice failure={error} {...(isGone ? {} : { onRetry: refetch })} />
      {data === undefined && error === null && (
        <Panel>
          <SkeletonLines count={4} />
        </Panel>
      )}
      {data !== undefined && <Progress found={data} />}
      {data !== undefined && data.refused > 0 && <RefusedRows found={data} />}
      {(isGone || (data !== undefined && !isRunning(data))) && (
        <div className="flex flex-wrap gap-2">
          {!isGone && (
            <Button asChild look="primary" size="large">
              <Link to="/contacts">{t.toContacts}</Link>
            </Button>
          )}
          <Button size="large" onClick={onAnother}>
            {t.another}
          </Button>
        </div>
      )}
    </div>
  );
}

function Progress({ found }: { found: ContactImport }) {
  const t = useTexts(resultTexts);
  const language = useLanguage();
  const percent = Math.floor(found.progress * 100);
  const count = (value: number) => formatCount(value, language);
  return (
    <Panel className="flex flex-col gap-4 p-5">
      <div>
        <h2 role="status" className="text-lg font-semibold">
          {t.states[found.state]}
        </h2>
        {found.file_name !== null && <p className="text-sm break-words text-ink-soft">{found.file_name}</p>}
      </div>
      <Problem found={found} />
      {isRunning(found) && (
        <div
          role="progressbar"
          aria-label={t.states.running}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-1.5 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full bg-accent transition-[width] duration-500" style={{ width: `${percent}%` }} />
        </div>
      )}
      <p className="text-sm text-ink-soft tabular">
        {t.rows(count(found.rows))}
        {isRunning(found) && `. ${t.leave}`}
      </p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {(['added', 'updated', 'unchanged', 'refused'] as const).map((name) => (
          <div key={name}>
            <dt className="text-xs text-ink-faint">{t.counts[name]}</dt>
            <dd className="text-xl font-semibold tabular">{count(found[name])}</dd>
          </div>
        ))}
      </dl>
      {isRunning(found) && <CancelButton importId={found.import_id} />}
    </Panel>
  );
}

/** Why it ended before the end of the file. */
function Problem({ found: { state, problem } }: { found: ContactImport }) {
  const t = useTexts(resultTexts);
  const { tooManyRows } = useTexts(importTexts);
  const problems = useTexts(problemTexts);
  const language = useLanguage();
  if (state === 'cancelled') return <Notice tone="warn">{t.stays}</Notice>;
  if (problem === null) return null;
  const sentence = problemSentence(problem.code, { ...problems, too_many_rows: tooManyRows });
  return (
    <Notice tone="bad" live>
      {problem.row === null ? sentence : t.failedAt(formatCount(problem.row, language), sentence)} {t.stays}
    </Notice>
  );
}
