import { formatCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Meter } from '../ui/meter.js';
import { Moment } from '../ui/moment.js';
import { Panel, PanelHead } from '../ui/panel.js';
import { type Device, healthTexts, healthTones } from './state.js';
import { deviceTexts } from './texts.js';

export function DeviceHealth({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const h = useTexts(healthTexts);
  const language = useLanguage();
  const { health, settings } = device;
  const figures = [
    [t.sent, health.sent],
    [t.failed, health.failed],
    [t.unknown, health.unknown],
    [t.newContacts, health.new_contacts],
  ] as const;
  return (
    <Panel>
      <PanelHead
        title={t.health}
        note={h[`${health.level}Note`]}
        actions={<Badge tone={healthTones[health.level]}>{h[health.level]}</Badge>}
      />
      <div className="px-5 pb-5">
        <p className="text-xs text-ink-faint">{t.last24}</p>
        <dl className="mt-2 grid grid-cols-2 gap-4 sm:grid-cols-4">
          {figures.map(([name, value]) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-ink-soft">{name}</dt>
              <dd className="text-xl font-semibold tabular">{formatCount(value, language)}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-5 flex flex-col gap-4">
          {health.new_contacts_blocked_until !== null && (
            <p className="text-sm text-warn">
              {t.blockedUntil} <Moment at={health.new_contacts_blocked_until} />
            </p>
          )}
          {settings.new_contacts_per_day !== null && (
            <Meter label={t.newContacts} used={health.new_contacts} total={settings.new_contacts_per_day} />
          )}
          {health.new_chats !== null && (
            <Meter
              label={t.newChats}
              used={health.new_chats.used}
              total={health.new_chats.total}
              note={
                health.new_chats.reset_at !== null && (
                  <>
                    {t.newChatsReset} <Moment at={health.new_chats.reset_at} />
                  </>
                )
              }
            />
          )}
        </div>
      </div>
    </Panel>
  );
}
