import { clsx } from 'clsx';
import { useCall } from '../http/use-call.js';
import { formatCount, formatRupiah } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { toast } from '../ui/overlays/toasts.js';
import { RenewButton } from './renew-button.js';
import type { Plan } from './rows.js';
import { moneyTexts } from './texts.js';

type PlanChoiceProps = { plans: readonly Plan[]; chosenId: string | null };

export function PlanChoice({ plans, chosenId }: PlanChoiceProps) {
  const t = useTexts(moneyTexts);
  const me = useMe();
  const isOwner = useMay('owner');
  const choose = useCall('choosePlan', ['listPlans', 'readOverview']);
  const chosen = plans.find(({ plan_id }) => plan_id === chosenId);
  const pick = (planId: string) =>
    choose.mutate({ params: { plan_id: planId } }, { onSuccess: ({ name }) => toast(t.chosenNow(name)) });
  return (
    <section aria-labelledby="plans" className="flex flex-col gap-4">
      <div>
        <h2 id="plans" className="text-lg font-semibold">
          {t.plans}
        </h2>
        <p className="text-sm text-ink-soft">{plans.length === 0 ? t.noPlans : t.plansNote}</p>
      </div>
      <FailureNotice failure={choose.error} />
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {plans.map((plan) => (
          <PlanCard
            key={plan.plan_id}
            plan={plan}
            isChosen={plan.plan_id === chosenId}
            busy={choose.isPending}
            {...(isOwner ? { onChoose: () => pick(plan.plan_id) } : {})}
          />
        ))}
      </ul>
      {isOwner &&
        chosen !== undefined &&
        (me.payments === null ? <p className="text-sm text-ink-soft">{t.noPayments}</p> : <Renewal plan={chosen} />)}
    </section>
  );
}

type PlanCardProps = { plan: Plan; isChosen: boolean; busy: boolean; onChoose?: () => void };

function PlanCard({ plan, isChosen, busy, onChoose }: PlanCardProps) {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  return (
    <li
      className={clsx(
        'flex flex-col rounded-lg border bg-surface p-5 shadow-lift',
        isChosen ? 'border-accent ring-1 ring-accent' : 'border-line',
      )}
    >
      <p className="flex items-center justify-between gap-2 font-semibold">
        {plan.name}
        {isChosen && <Badge tone="accent">{t.chosen}</Badge>}
      </p>
      <p className="mt-3 text-2xl font-semibold tracking-[-0.02em] tabular">{formatRupiah(plan.price, language)}</p>
      <p className="text-sm text-ink-soft">{t.days(plan.duration_days)}</p>
      <p className="mt-3 mb-5 text-sm">
        {plan.quota === null ? t.unlimited : t.messages(formatCount(plan.quota, language))}
      </p>
      {onChoose !== undefined && !isChosen && (
        <Button
          className="mt-auto self-start"
          disabled={busy}
          onClick={onChoose}
          aria-label={`${t.choose}: ${plan.name}`}
        >
          {t.choose}
        </Button>
      )}
    </li>
  );
}

function Renewal({ plan }: { plan: Plan }) {
  const t = useTexts(moneyTexts);
  const me = useMe();
  return (
    <div className="flex flex-wrap items-center gap-4">
      <RenewButton plan={plan} size="large" />
      <p className="max-w-prose text-sm text-ink-soft">
        {t.renewNote} {me.payments === 'sandbox' && t.sandboxNote}
      </p>
    </div>
  );
}
