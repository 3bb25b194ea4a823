import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatRupiah } from '../format/format.js';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Button, type ButtonProps } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { lowTexts } from './low-texts.js';
import type { Plan } from './rows.js';
import { moneyTexts } from './texts.js';

type RenewButtonProps = { plan: Plan } & Pick<ButtonProps, 'size' | 'className'>;

/** Opens a renewal and leads to the page that takes the payment. */
export function RenewButton({ plan, ...look }: RenewButtonProps) {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  const renew = useCall('renewAccount', ['listRenewals', 'listPlans', 'readOverview']);
  const goPay = () => renew.mutate({}, { onSuccess: ({ payment_url }) => window.location.assign(payment_url) });
  return (
    <>
      <Button look="primary" {...look} busy={renew.isPending} onClick={goPay}>
        {t.payNow(formatRupiah(plan.price, language))}
      </Button>
      <FailureNotice failure={renew.error} />
    </>
  );
}

/** The next step towards a renewal: renewing, choosing a plan, or asking somebody who may. */
export function RenewAction({ size = 'medium' }: Pick<ButtonProps, 'size'>) {
  const t = useTexts(lowTexts);
  const m = useTexts(moneyTexts);
  const me = useMe();
  const isOwner = useMay('owner');
  const { data } = useQuery(readQuery('listPlans', {}));
  if (data === undefined) return null;
  if (!isOwner) return <p className="text-sm text-ink-soft">{t.askOwner}</p>;
  const chosen = data.plans.find(({ plan_id: id }) => id === data.chosen_plan_id);
  if (chosen === undefined) {
    return (
      <Button asChild look="primary" size={size}>
        <Link to="/billing">{t.choose}</Link>
      </Button>
    );
  }
  if (me.payments === null) return <p className="text-sm text-ink-soft">{m.noPayments}</p>;
  return <RenewButton plan={chosen} size={size} />;
}
