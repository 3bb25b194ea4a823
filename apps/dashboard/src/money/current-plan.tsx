import type { DashboardData } from '@kurir/contracts/dashboard';
import { formatDay } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Meter } from '../ui/meter.js';
import { Panel } from '../ui/layout/panel.js';
import { planName } from './rows.js';
import { moneyTexts } from './texts.js';

export function CurrentPlan({ subscription }: Pick<DashboardData<'listPlans'>, 'subscription'>) {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  // A notice above the panel says that no plan runs.
  if (subscription === null || subscription.days_left === 0) return null;
  const { plan, expiry_date, days_left, initial_quota: initial, remaining_quota: left } = subscription;
  return (
    <Panel className="grid items-center gap-6 px-6 py-5 sm:grid-cols-2">
      <div>
        <p className="text-sm text-ink-soft">{t.current}</p>
        <p className="text-xl font-semibold">{planName(plan, language)}</p>
        <p className="text-sm text-ink-soft">{t.until(formatDay(expiry_date, language), days_left)}</p>
      </div>
      {initial === null || left === null ? (
        <p className="font-medium sm:text-right">{t.unlimited}</p>
      ) : (
        <Meter label={t.quotaLeft} used={left} total={initial} fullIsGood />
      )}
    </Panel>
  );
}
