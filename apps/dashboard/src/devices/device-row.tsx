import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { formatShortCount, shortenId } from '../format/format.js';
import { formatPhone } from '../format/phone.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Moment } from '../ui/moment.js';
import { wordTexts, wordTones } from './health-words.js';
import { NetworkMark } from './network-mark.js';
import { backlogOf, type Device, healthTexts, healthTones, isContested } from './state.js';
import { StateBadge } from './state-badge.js';
import { deviceTexts } from './texts.js';

export function DeviceRow({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const health = useTexts(healthTexts);
  const words = useTexts(wordTexts);
  const language = useLanguage();
  const { activity } = device;
  const waiting = backlogOf(activity);
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to="/devices/$deviceId"
        params={{ deviceId: device.device_id }}
        className="group flex items-center gap-3 px-4 py-4 hover:bg-sunken sm:gap-4 sm:px-5"
      >
        <NetworkMark network={device.network} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{device.name}</span>
          <span className="block truncate text-sm text-ink-soft tabular">
            {device.phone_number === null ? shortenId(device.device_id) : formatPhone(device.phone_number)}
          </span>
        </span>
        <span className="hidden w-32 text-right text-sm text-ink-soft tabular md:block">
          {waiting === 0 ? (
            <span className="text-ink-faint">{t.nothingWaits}</span>
          ) : (
            t.waiting(formatShortCount(waiting, language))
          )}
        </span>
        <span className="hidden w-36 text-right text-sm text-ink-soft lg:block">
          {device.state === 'connected' ? (
            t.now
          ) : activity.last_connected_at === null ? (
            t.never
          ) : (
            <Moment at={activity.last_connected_at} />
          )}
        </span>
        <span className="flex flex-col items-end gap-1 sm:flex-row sm:items-center sm:gap-2">
          {activity.linked && activity.health.level !== 'well' && (
            <Badge tone={healthTones[activity.health.level]}>{health[activity.health.level]}</Badge>
          )}
          {(device.health === 'watch' || device.health === 'at_risk') && (
            <Badge tone={wordTones[device.health]}>{words[device.health]}</Badge>
          )}
          <StateBadge state={device.state} stopped={isContested(device)} />
        </span>
        <ChevronRight
          aria-hidden
          className="hidden size-4 text-ink-faint transition-transform group-hover:translate-x-0.5 sm:block"
        />
      </Link>
    </li>
  );
}
