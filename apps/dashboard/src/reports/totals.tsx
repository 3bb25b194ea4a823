import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatShare } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import type { Report } from './charts/report.js';
import type { MessageSpan } from './spans.js';
import { reportTexts } from './texts.js';

/** The counts of the whole span, each with its share. The failed ones lead to the list of them. */
export function Totals({ report, span }: { report: Report; span: MessageSpan }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const { accepted, delivered, failed } = report.all;
  const share = (count: number) => (accepted === 0 ? '' : formatShare(count, accepted, language));
  const expired = report.failed_for.find(({ reason }) => reason === 'expired')?.counts ?? [];
  const onlyExpired = failed > 0 && expired.reduce((sum, count) => sum + count, 0) === failed;
  return (
    <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-3">
      <Total name={t.accepted}>{formatCount(accepted, language)}</Total>
      <Total name={t.delivered} share={share(delivered)}>
        {formatCount(delivered, language)}
      </Total>
      <Total name={t.failed} share={share(failed)}>
        {failed === 0 ? (
          formatCount(failed, language)
        ) : (
          <Link
            to="/messages"
            search={{ status: onlyExpired ? 'expired' : 'failed', ...span }}
            aria-label={t.seeFailed(formatCount(failed, language))}
            className="text-bad underline decoration-1 underline-offset-4"
          >
            {formatCount(failed, language)}
          </Link>
        )}
      </Total>
    </dl>
  );
}

function Total({ name, share = '', children }: { name: string; share?: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="text-xl font-semibold tracking-[-0.02em] tabular">
        {children} {share !== '' && <span className="text-base font-normal text-ink-soft">{share}</span>}
      </dd>
    </div>
  );
}
