import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { devicesQuery } from '../../devices/device-queries.js';
import { formatPhone } from '../../format/phone.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/layout/panel.js';
import { Notice } from '../../ui/notice.js';
import { skipTexts } from '../skip-texts.js';
import { useCount } from '../use-count.js';
import { minutesNeeded } from './minutes-needed.js';
import { checkTexts } from './texts.js';
import type { Check } from './use-check.js';

/** Says who gets the message, who does not and why, and how it looks. */
export function CheckResult({ check }: { check: Check }) {
  const t = useTexts(checkTexts);
  const count = useCount();
  const left = check.remaining_quota === 'Unlimited' ? null : Number(check.remaining_quota);
  return (
    <Panel aria-label={t.result} className="flex flex-col gap-5 p-5">
      <p className="text-xl font-semibold tabular">{t.sendable(count(check.sendable))}</p>
      {check.sendable === 0 && <Notice tone="bad">{t.nobody}</Notice>}
      {left !== null && left < check.sendable && (
        <Notice
          tone="bad"
          action={
            <Button asChild size="small">
              <Link to="/billing">{t.toBilling}</Link>
            </Button>
          }
        >
          {t.notEnough(count(left))}
        </Notice>
      )}
      <Skipped skipped={check.counts.skipped} />
      <Facts check={check} left={left} />
      <Samples samples={check.samples} />
    </Panel>
  );
}

function Skipped({ skipped }: { skipped: Check['counts']['skipped'] }) {
  const t = useTexts(checkTexts);
  const reasons = useTexts(skipTexts);
  const count = useCount();
  if (skipped.length === 0) return null;
  const all = skipped.reduce((sum, { count: some }) => sum + some, 0);
  return (
    <section className="rounded-md bg-warn-soft px-4 py-3 text-sm">
      <h3 className="font-semibold text-warn">{t.skipped(count(all))}</h3>
      <ul className="mt-1.5 flex flex-col gap-1">
        {skipped.map(({ reason, count: some }) => (
          <li key={reason} className="flex justify-between gap-4">
            <span className="min-w-0 break-words">{reasons[reason]}</span>
            <span className="tabular">{count(some)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ check, left }: { check: Check; left: number | null }) {
  const t = useTexts(checkTexts);
  const count = useCount();
  const { data: devices } = useQuery(devicesQuery());
  const nameOf = (id: string) => devices?.find(({ device_id: one }) => one === id)?.name ?? t.gone;
  const minutes = minutesNeeded(check);
  const facts: [string, string][] = [
    ...check.shares.map(({ device_id: id, known }): [string, string] => [t.knownOf(nameOf(id)), count(known)]),
    [t.newContacts, count(check.new_contacts)],
    [t.quota, left === null ? t.unlimited : count(left)],
  ];
  if (minutes !== null && minutes > 0) {
    const isLong = minutes >= 120;
    facts.push([t.time, isLong ? t.wholeHours(count(Math.round(minutes / 60))) : t.minutes(count(minutes))]);
  }
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
        {facts.map(([term, value], i) => (
          <div key={`${i} ${term}`} className="min-w-0">
            <dt className="text-xs break-words text-ink-faint">{term}</dt>
            <dd className="font-medium tabular">{value}</dd>
          </div>
        ))}
      </dl>
      {check.new_contacts > 0 && <p className="text-sm text-ink-soft">{t.newNote}</p>}
    </>
  );
}

function Samples({ samples }: { samples: Check['samples'] }) {
  const t = useTexts(checkTexts);
  if (samples.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-sm font-medium">{t.samples}</h3>
      <ul className="grid gap-3 sm:grid-cols-2">
        {samples.map(({ phone, text }) => (
          <li key={phone} className="min-w-0">
            <p className="text-xs text-ink-faint tabular">{formatPhone(phone)}</p>
            <p
              dir="auto"
              className="mt-1 rounded-lg rounded-tr-sm bg-accent-soft px-4 py-3 text-sm leading-relaxed break-words whitespace-pre-wrap"
            >
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
