import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatDay, formatShortCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { lowTexts } from '../money/low-texts.js';
import { planName } from '../money/rows.js';
import { RenewAction } from '../money/renew-button.js';
import { type Low, lowOf } from '../money/running-low.js';
import { Panel } from '../ui/layout/panel.js';
import { toneText } from '../ui/tone.js';
import type { Overview } from './overview.js';
import { QuotaRing } from './quota-ring.js';
import { reportTexts } from './texts.js';

export function NowFigures({ overview }: { overview: Overview }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-[1.35fr_1fr_1fr]">
      <QuotaFigure subscription={overview.subscription} />
      <QueueFigure queue={overview.queue} />
      <DevicesFigure devices={overview.devices} />
    </div>
  );
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel className="flex flex-col gap-3 p-5">
      <h2 className="text-sm text-ink-soft">{title}</h2>
      {children}
    </Panel>
  );
}

function QuotaFigure({ subscription }: Pick<Overview, 'subscription'>) {
  const t = useTexts(reportTexts);
  const l = useTexts(lowTexts);
  const low = lowOf(subscription);
  if (subscription === null || low === 'ended') {
    return (
      <Figure title={t.quota}>
        <p className="text-lg font-semibold text-bad">{l.low.ended}</p>
        <p className="text-sm text-ink-soft">{l.notes.ended}</p>
        <div>
          <RenewAction />
        </div>
      </Figure>
    );
  }
  return (
    <Figure title={t.quota}>
      <RunningQuota subscription={subscription} low={low} />
      {low !== null && (
        <div className="flex flex-wrap items-center gap-3">
          <RenewAction />
        </div>
      )}
    </Figure>
  );
}

type RunningQuotaProps = { subscription: NonNullable<Overview['subscription']>; low: Low | null };

function RunningQuota({ subscription, low }: RunningQuotaProps) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const { initial_quota: initial, remaining_quota: left, days_left, expiry_date, plan } = subscription;
  const name = planName(plan, language);
  const tone = low === 'noQuota' ? 'bad' : low === 'littleQuota' ? 'warn' : 'accent';
  return (
    <div className="flex items-center gap-5">
      {initial !== null && left !== null && (
        <QuotaRing share={initial === 0 ? 0 : left / initial} tone={tone} label={t.quota} />
      )}
      <div className="min-w-0">
        <p className={`text-2xl font-semibold tracking-[-0.02em] tabular ${tone === 'accent' ? '' : toneText[tone]}`}>
          {left === null ? t.unlimited : formatCount(left, language)}
        </p>
        <p className="text-sm text-ink-soft">
          {initial === null ? name : `${t.ofQuota(formatShortCount(initial, language))} · ${name}`}
        </p>
        <p className={low === 'fewDays' ? 'mt-1 text-sm font-medium text-warn' : 'mt-1 text-sm text-ink-soft'}>
          {t.daysLeft(days_left)}, {t.until} {formatDay(expiry_date, language)}
        </p>
      </div>
    </div>
  );
}

const laneFills = {
  otp: 'bg-accent',
  normal: 'bg-accent/55',
  bulk: 'bg-accent/28',
  scheduled: 'bg-line-strong',
} as const;
const lanes = ['otp', 'normal', 'bulk', 'scheduled'] as const;

function QueueFigure({ queue }: Pick<Overview, 'queue'>) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  const total = queue.otp + queue.normal + queue.bulk + queue.scheduled;
  return (
    <Figure title={t.queue}>
      <p className="text-2xl font-semibold tracking-[-0.02em] tabular">{formatCount(total, language)}</p>
      {total === 0 ? (
        <p className="text-sm text-ink-soft">{t.queueEmpty}</p>
      ) : (
        <>
          <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
            {lanes.map(
              (lane) =>
                queue[lane] > 0 && <span key={lane} className={laneFills[lane]} style={{ flexGrow: queue[lane] }} />,
            )}
          </div>
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
            {lanes.map(
              (lane) =>
                queue[lane] > 0 && (
                  <li key={lane} className="flex items-center gap-1.5 tabular">
                    <span aria-hidden className={`size-2 rounded-full ${laneFills[lane]}`} />
                    {t.lanes[lane]} {formatShortCount(queue[lane], language)}
                  </li>
                ),
            )}
          </ul>
        </>
      )}
    </Figure>
  );
}

function DevicesFigure({ devices }: Pick<Overview, 'devices'>) {
  const t = useTexts(reportTexts);
  const shown = Math.min(devices.total, 24);
  return (
    <Figure title={t.devices}>
      <p className="text-2xl font-semibold tracking-[-0.02em] tabular">
        {devices.connected} <span className="text-base font-normal text-ink-soft">{t.ofDevices(devices.total)}</span>
      </p>
      <Link
        to="/devices"
        aria-label={t.devices}
        className="-my-2.5 flex flex-wrap gap-1.5 self-start rounded-sm py-2.5"
      >
        {Array.from({ length: shown }, (_, i) => (
          <span
            key={i}
            aria-hidden
            className={
              i < (devices.connected / Math.max(1, devices.total)) * shown
                ? 'h-5 w-3 rounded-[4px] bg-ok'
                : 'h-5 w-3 rounded-[4px] border-2 border-line-strong'
            }
          />
        ))}
      </Link>
    </Figure>
  );
}
