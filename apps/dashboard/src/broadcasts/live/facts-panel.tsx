import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { devicesQuery } from '../../devices/device-queries.js';
import { isContested } from '../../devices/state.js';
import { StateBadge } from '../../devices/state-badge.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { categoryTexts } from '../category-texts.js';
import { hoursOf } from '../fields/hours-of.js';
import { rulesTexts } from '../fields/rules-texts.js';
import type { Broadcast, CountedBroadcast } from '../figures.js';
import { MessageText } from '../message-text.js';
import { useCount } from '../use-count.js';
import { liveTexts } from './texts.js';

export function FactsPanel({ found: { broadcast, text } }: { found: CountedBroadcast }) {
  const t = useTexts(liveTexts);
  const categories = useTexts(categoryTexts);
  const rules = useTexts(rulesTexts);
  const language = useLanguage();
  const count = useCount();
  const pace = broadcast.pace_per_minute;
  return (
    <Panel>
      <PanelHead title={t.text} />
      <div className="flex flex-col gap-4 px-5 pb-5 text-sm">
        {text === null ? (
          <p className="text-ink-soft">{t.erased}</p>
        ) : (
          <p
            dir="auto"
            className="rounded-lg rounded-tr-sm bg-accent-soft px-4 py-3 leading-relaxed break-words whitespace-pre-wrap"
          >
            <MessageText text={text.footer === null ? text.message : `${text.message}\n\n${text.footer}`} />
          </p>
        )}
        <dl className="flex flex-col gap-2">
          <div className="flex justify-between gap-4">
            <dt className="text-ink-soft">{t.category}</dt>
            <dd>{categories[broadcast.category]}</dd>
          </div>
          <div className="flex justify-between gap-4">
            <dt className="text-ink-soft">{t.pace}</dt>
            <dd className="text-right">{pace === null ? t.paceOfDevices : t.perMinute(count(pace))}</dd>
          </div>
          <Limits broadcast={broadcast} />
        </dl>
        <p className="text-ink-soft">{hoursOf(broadcast.window, rules, language)}</p>
        <Devices ids={broadcast.device_ids} />
      </div>
    </Panel>
  );
}

/** The most promotions a person, and when the broadcast pauses by itself. */
function Limits({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(rulesTexts);
  const count = useCount();
  const { category, max_per_person_a_day: most, guards } = broadcast;
  const { failed_percent: failed, opted_out_percent: optedOut } = guards;
  const limits = [
    ...(failed === null ? [] : [t.failedFact(count(failed))]),
    ...(optedOut === null ? [] : [t.optedOutFact(count(optedOut))]),
  ];
  return (
    <>
      {category === 'marketing' && (
        <div className="flex justify-between gap-4">
          <dt className="text-ink-soft">{t.maxFact}</dt>
          <dd className="text-right">{most === null ? t.noMax : count(most)}</dd>
        </div>
      )}
      <div className="flex justify-between gap-4">
        <dt className="text-ink-soft">{t.guardsFact}</dt>
        <dd className="text-right">{limits.length === 0 ? t.never : limits.join(', ')}</dd>
      </div>
    </>
  );
}

function Devices({ ids }: { ids: readonly string[] }) {
  const t = useTexts(liveTexts);
  const { data: devices } = useQuery(devicesQuery());
  if (devices === undefined) return null;
  return (
    <div>
      <h3 className="text-ink-soft">{t.devices}</h3>
      <ul className="mt-1">
        {ids.map((id) => {
          const device = devices.find((one) => one.device_id === id);
          return (
            <li key={id} className="flex min-h-10 items-center justify-between gap-3">
              {device === undefined ? (
                <span className="text-ink-soft">{t.gone}</span>
              ) : (
                <>
                  <Link
                    to="/devices/$deviceId"
                    params={{ deviceId: id }}
                    className="flex min-h-10 min-w-0 items-center font-medium hover:underline"
                  >
                    <span className="truncate">{device.name}</span>
                  </Link>
                  <StateBadge state={device.state} stopped={isContested(device)} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
