import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/layout/page.js';
import { exampleNumber } from './example-number.js';
import { Phone } from './phone.js';
import { PhoneList } from './phone-list.js';
import { usePhones } from './phone-queries.js';
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

/** Zeros at the start stand for a country code. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').replace(/^0+/, '');

function Phones() {
  const { number: chosen } = useSearch({ from: '/signed-in/handset' });
  const [search, setSearch] = useState('');
  const latest = usePhones('').data?.pages[0]?.phones ?? [];
  const list = usePhones(useDeferredValue(digitsOf(search)));
  const phones = list.data?.pages.flatMap((page) => page.phones) ?? [];
  // A phone on which something arrived says more than one that no message reached.
  const first = latest.find(({ last_text: text }) => text !== null) ?? latest[0];
  const number = chosen ?? first?.number ?? exampleNumber;
  return (
    <>
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <div className="grid items-start gap-8 *:min-w-0 lg:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]">
        <div className="order-2 lg:order-1">
          <PhoneList
            phones={phones}
            number={number}
            search={search}
            onSearch={setSearch}
            onMore={list.hasNextPage ? () => void list.fetchNextPage() : null}
            isReadingMore={list.isFetchingNextPage}
          />
        </div>
        <div className="order-1 lg:order-2">
          <Phone key={number} number={number} />
        </div>
      </div>
    </>
  );
}
