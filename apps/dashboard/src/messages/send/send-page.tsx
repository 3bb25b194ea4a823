import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Smartphone } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { devicesQuery } from '../../devices/device-queries.js';
import { usePhoneOf } from '../../form/read-phone.js';
import { useTexts } from '../../i18n/texts.js';
import { exampleNumber } from '../../sandbox/example-number.js';
import { LowNotice } from '../../money/low-notice.js';
import { useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/layout/empty-state.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { RoutePicture } from '../../ui/layout/route-picture.js';
import { Skeleton } from '../../ui/layout/skeleton.js';
import { SendForm, type Draft } from './send-form.js';
import { SentMessage } from './sent-message.js';
import { sendTexts } from './texts.js';

const CodeSamples = lazy(async () => ({ default: (await import('./code-samples.js')).CodeSamples }));

export function SendPage() {
  const t = useTexts(sendTexts);
  const { device, to } = useSearch({ from: '/signed-in/send' });
  const { sandbox, account } = useMe();
  const devices = useQuery(devicesQuery());
  const [draft, setDraft] = useState<Draft>({
    device_id: device ?? '',
    // Only a pretend phone has a number from us.
    phone_destination: to ?? (sandbox ? exampleNumber : ''),
    message: '',
  });
  const recipient = usePhoneOf(draft.phone_destination || exampleNumber, account.country);
  const [jobId, setJobId] = useState<string | null>(null);
  const list = devices.data ?? [];
  const chosen = draft.device_id || (list.find(({ state }) => state === 'connected') ?? list[0])?.device_id || '';
  if (devices.isSuccess && list.length === 0) return <NoDevices />;
  return (
    <Page title={t.title} note={t.note}>
      <LowNotice />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        {jobId === null ? (
          devices.isSuccess && (
            <SendForm devices={list} draft={{ ...draft, device_id: chosen }} onChange={setDraft} onSent={setJobId} />
          )
        ) : (
          <SentMessage jobId={jobId} onAnother={() => setJobId(null)} />
        )}
        <Suspense fallback={<Skeleton className="h-96" />}>
          <CodeSamples deviceId={chosen} recipient={recipient} text={draft.message || t.example} more={draft} />
        </Suspense>
      </div>
    </Page>
  );
}

function NoDevices() {
  const t = useTexts(sendTexts);
  return (
    <Page title={t.title} note={t.note}>
      <Panel>
        <EmptyState
          picture={
            <RoutePicture>
              <Smartphone />
            </RoutePicture>
          }
          title={t.linkDevice}
          actions={
            <Button asChild look="primary">
              <Link to="/devices" search={{ add: true }}>
                {t.linkDevice}
              </Link>
            </Button>
          }
        >
          {t.noDevices}
        </EmptyState>
      </Panel>
    </Page>
  );
}
