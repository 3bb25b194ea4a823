import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/layout/page.js';
import { exampleNumber } from './example-number.js';
import { Phone } from './phone.js';
import { PhoneList } from './phone-list.js';
import { sandboxTexts } from './texts.js';

export function HandsetPage() {
  const t = useTexts(sandboxTexts);
  const { sandbox } = useMe();
  return (
    <Page title={t.title} note={t.note}>
      {sandbox ? <Phones /> : <Notice>{t.off}</Notice>}
    </Page>
  );
}

function Phones() {
  const { number: chosen } = useSearch({ from: '/signed-in/handset' });
  const { data, error, refetch } = useQuery(readQuery('listPhones', {}));
  const number = chosen ?? data?.phones[0]?.number ?? exampleNumber;
  return (
    <>
      <FailureNotice failure={error} onRetry={refetch} />
      <div className="grid items-start gap-8 *:min-w-0 lg:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]">
        <div className="order-2 lg:order-1">
          <PhoneList phones={data?.phones ?? []} number={number} />
        </div>
        <div className="order-1 lg:order-2">
          <Phone key={number} number={number} />
        </div>
      </div>
    </>
  );
}
