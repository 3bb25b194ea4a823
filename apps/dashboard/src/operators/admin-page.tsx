import { useTexts } from '../i18n/texts.js';
import { Page } from '../ui/layout/page.js';
import { Tabs } from '../ui/layout/tabs.js';
import { Accounts } from './accounts.js';
import { AllAudit } from './all-audit.js';
import { Health } from './gateway/health.js';
import { Lanes } from './lanes.js';
import { Plans } from './plans.js';
import { gatewayTexts } from './gateway/texts.js';
import { operatorTexts } from './texts.js';
import { TroubledWebhooks } from './gateway/troubled-webhooks.js';
import { Workers } from './workers.js';

export function AdminPage() {
  const t = useTexts(operatorTexts);
  const s = useTexts(gatewayTexts);
  const tabs = [
    { value: 'health', label: s.health, content: <Health /> },
    { value: 'accounts', label: t.accounts, content: <Accounts /> },
    { value: 'plans', label: t.plans, content: <Plans /> },
    { value: 'workers', label: t.workers, content: <Workers /> },
    { value: 'lanes', label: t.lanes, content: <Lanes /> },
    { value: 'webhooks', label: s.webhooks, content: <TroubledWebhooks /> },
    { value: 'audit', label: t.audit, content: <AllAudit /> },
  ] as const;
  return (
    <Page title={t.title} note={t.note}>
      <Tabs label={t.title} tabs={tabs} />
    </Page>
  );
}
