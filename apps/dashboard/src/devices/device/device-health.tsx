import { formatCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import { Meter } from '../../ui/meter.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { type Device, healthTexts, healthTones } from '../state.js';
import { deviceTexts } from '../texts.js';

export function DeviceHealth({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const h = useTexts(healthTexts);
  const language = useLanguage();
  const { health } = device.activity;
  const { new_contacts: contacts } = device;
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
          <NewContacts device={device} />
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

/** Shows why messages to new contacts wait, and how much of today's allowance is left. */
function NewContacts({ device: { new_contacts: contacts } }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const { allowance, left, left_for_codes: leftForCodes, paused_until: pausedUntil } = contacts;
  return (
    <>
      {contacts.waiting !== null && <ContactsWait waiting={contacts.waiting} />}
      {contacts.warning !== null && <Notice tone="warn">{t.warnings[contacts.warning]}</Notice>}
      {contacts.advice !== null && <Notice tone="warn">{t.looseLimit}</Notice>}
      {allowance !== null && left !== null && leftForCodes !== null && (
        <Meter
          label={t.allowance}
          used={contacts.used_today}
          total={allowance}
          note={
            <>
              {t.left(String(left), String(leftForCodes))}
              {pausedUntil !== null && (
                <>
                  {' '}
                  {t.pausedUntil} <Moment at={pausedUntil} />
                </>
              )}
            </>
          }
        />
      )}
    </>
  );
}

function ContactsWait({ waiting: { reason, until } }: { waiting: NonNullable<Device['new_contacts']['waiting']> }) {
  const t = useTexts(deviceTexts);
  const isOwn = reason === 'daily_limit';
  return (
    <p className="text-sm text-warn">
      {isOwn ? t.dailyLimit : t.blocked}
      {until !== null && (
        <>
          {' '}
          {isOwn ? t.limitEnds : t.blockEnds} <Moment at={until} />.
        </>
      )}
    </p>
  );
}
