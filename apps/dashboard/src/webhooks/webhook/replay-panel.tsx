import { useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { formatCount, formatMoment } from '../../format/format.js';
import { useCall } from '../../http/use-call.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Meter } from '../../ui/meter.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import type { Replay, Webhook } from '../state.js';
import { deliveryTexts } from './texts.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const spans = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;

/** The time of the browser's own zone, as a field of the type `datetime-local` has it. */
const localTime = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

/** Null: the field is empty or half filled. */
function isoOf(local: string): string | null {
  const time = new Date(local).getTime();
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function ReplayPanel({ webhook, replays }: { webhook: Webhook; replays: readonly Replay[] }) {
  const t = useTexts(deliveryTexts);
  const mayChange = useMay('developer');
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-prose text-sm text-ink-soft">{t.replayNote}</p>
      {mayChange && webhook.enabled && <ReplayForm webhook={webhook} />}
      {replays.length > 0 && (
        <Panel>
          <PanelHead title={t.replays} />
          <ul>
            {replays.map((replay) => (
              <ReplayRow key={replay.replay_id} replay={replay} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function ReplayForm({ webhook }: { webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const language = useLanguage();
  const [since, setSince] = useState(() => localTime(Date.now() - hourMs));
  const [until, setUntil] = useState(() => localTime(Date.now() + minuteMs));
  const count = useCall('replayWebhook');
  const begin = useCall('replayWebhook', ['getWebhook']);
  const [from, to] = [isoOf(since), isoOf(until)];
  const body = { since: from ?? '', ...(to === null ? {} : { until: to }) };
  const params = { webhook_id: webhook.webhook_id };
  const found = count.data?.events;
  const start = () =>
    begin.mutate(
      { params, body },
      {
        onSuccess: () => {
          count.reset();
          toast(t.replayBegan);
        },
      },
    );
  return (
    <Panel className="flex flex-col gap-4 p-5">
      <SpanFields
        since={since}
        until={until}
        onChange={(span) => {
          // A count belongs to the span that it was made for.
          count.reset();
          setSince(span.since);
          setUntil(span.until);
        }}
      />
      <FailureNotice failure={count.error ?? begin.error} />
      {found !== undefined && (
        <Notice live tone={found === 0 ? 'warn' : 'accent'}>
          {found === 0 ? t.nothingThere : t.counted(formatCount(found, language))}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        {found !== undefined && found > 0 ? (
          <Button look="primary" busy={begin.isPending} onClick={start}>
            {t.replayNow(formatCount(found, language))}
          </Button>
        ) : (
          <Button
            look="primary"
            busy={count.isPending}
            disabled={from === null}
            onClick={() => count.mutate({ params, body: { ...body, dry_run: true } })}
          >
            {t.count}
          </Button>
        )}
      </div>
    </Panel>
  );
}

type LocalSpan = { readonly since: string; readonly until: string };

function SpanFields({ since, until, onChange }: LocalSpan & { onChange: (span: LocalSpan) => void }) {
  const t = useTexts(deliveryTexts);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {(['hour', 'day', 'week'] as const).map((span) => (
          <Button
            key={span}
            size="small"
            onClick={() =>
              onChange({ since: localTime(Date.now() - spans[span]), until: localTime(Date.now() + minuteMs) })
            }
          >
            {t.spans[span]}
          </Button>
        ))}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t.since}>
          {(links) => (
            <Input
              {...links}
              type="datetime-local"
              value={since}
              onChange={({ target }) => onChange({ since: target.value, until })}
            />
          )}
        </Field>
        <Field label={t.until}>
          {(links) => (
            <Input
              {...links}
              type="datetime-local"
              value={until}
              onChange={({ target }) => onChange({ since, until: target.value })}
            />
          )}
        </Field>
      </div>
    </>
  );
}

function ReplayRow({ replay }: { replay: Replay }) {
  const t = useTexts(deliveryTexts);
  const language = useLanguage();
  const isRunning = replay.ended_at === null;
  const span = `${formatMoment(replay.since, language)} – ${formatMoment(replay.until, language)}`;
  return (
    <li className="flex flex-col gap-2 border-t border-line px-5 py-3.5 text-sm">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-ink-soft">{span}</span>
        <Badge dot moving={isRunning} tone={isRunning ? 'accent' : 'ok'}>
          {isRunning ? t.running : t.ended}
        </Badge>
      </span>
      <Meter label={t.replayed} used={replay.read_events} total={replay.events} fullIsGood />
    </li>
  );
}
