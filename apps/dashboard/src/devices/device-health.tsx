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
  const { health, settings, new_contacts: contacts } = device;
  const figures = [
    [t.sent, health.sent],
    [t.failed, health.failed],
    [t.unknown, health.unknown],
    [t.newContacts, contacts.used_today],
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
          {contacts.waiting !== null && (
            <p className="text-sm text-warn">
              {contacts.waiting.reason === 'daily_limit' ? t.dailyLimit : t.blocked}
              {contacts.waiting.until !== null && (
                <>
                  {' '}
                  {t.blockEnds} <Moment at={contacts.waiting.until} />
                </>
              )}
            </p>
          )}
          {settings.new_contacts_per_day !== null && (
            <Meter label={t.newContacts} used={contacts.used_today} total={settings.new_contacts_per_day} />
          )}
          {contacts.network_quota !== null && (
            <Meter
              label={t.newChats}
              used={contacts.network_quota.used}
              total={contacts.network_quota.total}
              note={
                contacts.network_quota.resets_at !== null && (
                  <>
                    {t.newChatsReset} <Moment at={contacts.network_quota.resets_at} />
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
