import { Send } from 'lucide-react';
import { useState } from 'react';
import { formatMoment } from '../../format/format.js';
import { useCall } from '../../http/use-call.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/layout/panel.js';
import { useNow } from '../../ui/moment.js';
import { toast } from '../../ui/overlays/toasts.js';
import { BroadcastFailure } from '../failure.js';
import { ConfirmAnyHour } from '../fields/confirm-any-hour.js';
import { hoursOf } from '../fields/hours-of.js';
import { mayBeAtNight } from '../fields/rules.js';
import { rulesTexts } from '../fields/rules-texts.js';
import { useCount } from '../use-count.js';
import { NightNotice, useOpening } from './night-notice.js';
import { checkTexts } from './texts.js';
import type { Check } from './use-check.js';

type StartPanelProps = { check: Check; onStarted?: (broadcastId: string) => void };

/** One sentence, and one large button that starts the broadcast. */
export function StartPanel({ check: { broadcast, sendable }, onStarted }: StartPanelProps) {
  const t = useTexts(checkTexts);
  const rules = useTexts(rulesTexts);
  const language = useLanguage();
  const count = useCount();
  const now = useNow();
  const start = useCall('startBroadcast', ['getBroadcast', 'listBroadcasts', 'listBroadcastRecipients']);
  const { broadcast_id: broadcastId, device_ids: devices, send_at: sendAt, window } = broadcast;
  const mustConfirm = mayBeAtNight(broadcast.category, window);
  const [anyHour, setAnyHour] = useState(false);
  const isLater = sendAt !== null && Date.parse(sendAt) > now;
  const beginsAt = isLater ? Date.parse(sendAt) : now;
  const opensAt = useOpening({ window, beginsAt });
  const people = count(sendable);
  const given = { params: { broadcast_id: broadcastId }, body: anyHour ? { confirm_any_hour: true } : {} };
  const soon = opensAt === null ? t.start : t.startAt(formatMoment(new Date(opensAt).toISOString(), language));
  const buttonText = isLater ? t.schedule : soon;
  const said = () => {
    toast(isLater ? t.scheduled : t.started);
    onStarted?.(broadcastId);
  };
  return (
    <Panel className="flex flex-col gap-5 p-5">
      <p className="text-lg">
        {devices.length === 1 ? t.oneDevice(people) : t.summary(people, count(devices.length))}{' '}
        {isLater ? t.at(formatMoment(sendAt, language)) : opensAt === null && t.now} {hoursOf(window, rules, language)}{' '}
        {t.pausable}
      </p>
      <NightNotice window={window} beginsAt={beginsAt} later={isLater} />
      {mustConfirm && <ConfirmAnyHour checked={anyHour} onChange={setAnyHour} />}
      <BroadcastFailure failure={start.error} />
      <Button
        look="primary"
        size="large"
        className="h-14 w-full text-lg sm:max-w-96"
        busy={start.isPending}
        disabled={sendable === 0 || (mustConfirm && !anyHour)}
        onClick={() => start.mutate(given, { onSuccess: said })}
      >
        <Send aria-hidden className="size-5" />
        {buttonText}
      </Button>
    </Panel>
  );
}
