import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { formatRupiah } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Moment } from '../ui/moment.js';
import { Notice } from '../ui/notice.js';
import { moneyTexts } from './texts.js';

/** Shows a renewal that waits for its payment at the top of the page. */
export function OpenRenewal() {
  const t = useTexts(moneyTexts);
  const language = useLanguage();
  const { data } = useQuery(readQuery('listRenewals', {}));
  const open = data?.renewals.find(({ state }) => state === 'pending');
  if (open === undefined) return null;
  return (
    <Notice
      tone="warn"
      title={t.open}
      action={
        <Button asChild look="primary">
          <a href={open.payment_url}>{t.pay}</a>
        </Button>
      }
    >
      {t.openNote(open.plan, formatRupiah(open.price, language))}, {t.expires} <Moment at={open.expires_at} />
    </Notice>
  );
}
