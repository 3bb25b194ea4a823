import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { personTexts } from './texts.js';

/** Says that the person does not want messages. Nothing, if the person gets them all. */
export function OptedOut({ phone }: { phone: string }) {
  const t = useTexts(personTexts);
  const { data, error, refetch } = useQuery(readQuery('listSuppressions', { query: { phone } }));
  if (data === undefined) return <FailureNotice failure={error} onRetry={refetch} />;
  const scopes = data.suppressions.map(({ scope }) => scope);
  if (scopes.length === 0) return null;
  const scope = scopes.includes('all') ? 'all' : 'marketing';
  return (
    <Notice
      tone={scope === 'all' ? 'bad' : 'warn'}
      title={t.optedOut[scope]}
      action={
        <Button asChild size="small">
          <Link to="/suppressions" search={{ phone }}>
            {t.why}
          </Link>
        </Button>
      }
    />
  );
}
