import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { readQuery } from '../http/query.js';
import { formatCount, formatRupiah } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { DataTable } from '../ui/tables/data-table.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Panel } from '../ui/layout/panel.js';
import type { Plan } from './rows.js';
import { operatorTexts } from './texts.js';

const PlanDialog = lazy(async () => ({ default: (await import('./plan-dialog.js')).PlanDialog }));

export function Plans() {
  const t = useTexts(operatorTexts);
  const language = useLanguage();
  const [editing, setEditing] = useState<Plan | 'new' | null>(null);
  const { data, error, refetch } = useQuery(readQuery('adminListPlans', {}));
  return (
    <div className="flex flex-col gap-4">
      <Button look="primary" className="self-start" onClick={() => setEditing('new')}>
        {t.newPlan}
      </Button>
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {data?.plans.length === 0 && <p className="px-5 py-12 text-center text-sm text-ink-soft">{t.noPlans}</p>}
        {data !== undefined && data.plans.length > 0 && (
          <DataTable
            label={t.plans}
            rows={data.plans}
            idOf={(row) => row.plan_id}
            columns={[
              { name: 'name', header: t.name, cell: (row) => <span className="font-medium">{row.name}</span> },
              { name: 'days', header: t.days, numeric: true, cell: (row) => row.duration_days },
              {
                name: 'quota',
                header: t.quota,
                numeric: true,
                cell: (row) => (row.quota === null ? t.unlimited : formatCount(row.quota, language)),
              },
              { name: 'price', header: t.price, numeric: true, cell: (row) => formatRupiah(row.price, language) },
              {
                name: 'active',
                header: <span className="sr-only">{t.active}</span>,
                cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? t.active : t.inactive}</Badge>,
              },
              {
                name: 'edit',
                card: 'corner',
                header: <span className="sr-only">{t.edit}</span>,
                numeric: true,
                cell: (row) => (
                  <Button size="small" onClick={() => setEditing(row)} aria-label={t.editPlan(row.name)}>
                    {t.edit}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Panel>
      {editing !== null && (
        <Suspense fallback={null}>
          <PlanDialog plan={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </div>
  );
}
