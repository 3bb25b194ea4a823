import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { deviceQuery } from '../device-queries.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { ApiFailure } from '../../http/api-failure.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { EmptyState } from '../../ui/layout/empty-state.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { Skeleton, SkeletonLines } from '../../ui/layout/skeleton.js';
import { DeleteButton } from './delete-button.js';
import { DeviceFacts } from './device-facts.js';
import { DeviceHealth } from './device-health.js';
import { LinkPanel } from '../linking/link-panel.js';
import { reasonSentence } from './reason-texts.js';
import { ReconnectButton } from './reconnect-button.js';
import { type Device, isContested, isSettling } from '../state.js';
import { StateBadge } from '../state-badge.js';
import { deviceTexts } from '../texts.js';
import { UnlinkButton } from './unlink-button.js';

const DeviceSettings = lazy(async () => ({ default: (await import('./device-settings.js')).DeviceSettings }));
const NumberHealth = lazy(async () => ({ default: (await import('./number-health.js')).NumberHealth }));
const DeviceProxy = lazy(async () => ({ default: (await import('./device-proxy.js')).DeviceProxy }));

/** Live events say when to read the device again. While it pairs or connects, polling makes up for a lost event. */
const settlingRefreshMs = 3_000;

export function DevicePage() {
  const t = useTexts(deviceTexts);
  const { deviceId } = useParams({ from: '/signed-in/devices/$deviceId' });
  const { data, error, refetch } = useQuery({
    ...deviceQuery(deviceId),
    refetchInterval: ({ state }) =>
      state.data?.devices.some((device) => isSettling(device.state)) === true ? settlingRefreshMs : false,
  });
  const isGone = error instanceof ApiFailure && error.code === 'DEVICE_NOT_FOUND';
  const back = (
    <Link
      to="/devices"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t.title}
    </Link>
  );
  return (
    <Page
      title={data?.name ?? t.title}
      before={back}
      note={data && !isGone && <StateBadge state={data.state} stopped={isContested(data)} />}
      actions={data && !isGone && <DeviceActions device={data} />}
    >
      {isGone ? <GoneDevice /> : <FailureNotice failure={error} onRetry={refetch} />}
      {data === undefined && error === null && (
        <Panel>
          <SkeletonLines count={6} />
        </Panel>
      )}
      {data !== undefined && !isGone && <DeviceBody device={data} />}
    </Page>
  );
}

/** Somebody deleted the device, or the link is wrong. Trying again does not help. */
function GoneDevice() {
  const t = useTexts(deviceTexts);
  const toList = (
    <Button asChild look="primary">
      <Link to="/devices">{t.gone.toList}</Link>
    </Button>
  );
  return (
    <Panel>
      <EmptyState title={t.gone.title} actions={toList}>
        {t.gone.note}
      </EmptyState>
    </Panel>
  );
}

function DeviceActions({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const mayChange = useMay('developer');
  return (
    <>
      <Button asChild>
        <Link to="/messages" search={{ device: device.device_id }}>
          {t.messages}
        </Link>
      </Button>
      {mayChange && device.state === 'connected' && (
        <Button asChild look="primary">
          <Link to="/send" search={{ device: device.device_id }}>
            {t.sendFirst}
          </Link>
        </Button>
      )}
    </>
  );
}

/** Shows why the device is not connected, and what a person can do. */
function StateNotice({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const language = useLanguage();
  const mayChange = useMay('developer');
  const sentence = reasonSentence(device, language);
  if (sentence === null) return null;
  return (
    <Notice tone={device.state === 'banned' ? 'bad' : 'warn'}>
      {sentence}
      {device.state_until !== null && (
        <span className="block">
          {t.reconnects} <Moment at={device.state_until} />
        </span>
      )}
      {mayChange && isContested(device) && <ReconnectButton device={device} />}
    </Notice>
  );
}

function DeviceBody({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const mayChange = useMay('developer');
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-6">
        <StateNotice device={device} />
        {!mayChange && <Notice>{t.viewerOnly}</Notice>}
        {!device.activity.linked && mayChange && <LinkPanel device={device} />}
        {device.activity.linked && <DeviceHealth device={device} />}
        <Suspense fallback={<Skeleton className="h-60" />}>
          <NumberHealth deviceId={device.device_id} />
        </Suspense>
        {mayChange && (
          <Suspense fallback={<Skeleton className="h-80" />}>
            <DeviceSettings key={device.device_id} device={device} />
            <DeviceProxy key={`proxy of ${device.device_id}`} device={device} />
          </Suspense>
        )}
      </div>
      <div className="flex flex-col gap-6">
        <DeviceFacts device={device} />
        {mayChange && device.activity.linked && <UnlinkButton device={device} />}
        {mayChange && !device.activity.linked && device.state !== 'pairing' && <DeleteButton device={device} />}
      </div>
    </div>
  );
}
