import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { Tabs } from '../ui/layout/tabs.js';
import { CurrentPlan } from './current-plan.js';
import { Invoices } from './invoices.js';
import { Ledger } from './ledger.js';
import { LowNotice } from './low-notice.js';
import { OpenRenewal } from './open-renewal.js';
import { PlanChoice } from './plan-choice.js';
import { Renewals } from './renewals.js';
import { moneyTexts } from './texts.js';

export function BillingPage() {
  const t = useTexts(moneyTexts);
  const isOwner = useMay('owner');
  const { data, error, refetch } = useQuery(readQuery('listPlans', {}));
  const tabs = [
    { value: 'renewals', label: t.renewals, content: <Renewals /> },
    { value: 'invoices', label: t.invoices, content: <Invoices /> },
    { value: 'ledger', label: t.ledger, content: <Ledger /> },
  ] as const;
  return (
    <Page title={t.title} note={t.note}>
      <FailureNotice failure={error} onRetry={refetch} />
      {!isOwner && <Notice>{t.ownerOnly}</Notice>}
      <OpenRenewal />
      <LowNotice />
      {data === undefined && error === null && (
        <Panel>
          <SkeletonLines count={5} />
        </Panel>
      )}
      {data !== undefined && (
        <>
          <CurrentPlan subscription={data.subscription} />
          <PlanChoice plans={data.plans} chosenId={data.chosen_plan_id} />
        </>
      )}
      <Tabs label={t.title} tabs={tabs} />
    </Page>
  );
}
