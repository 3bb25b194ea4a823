import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import type { Contact } from '../contact-queries.js';
import { personTexts } from './texts.js';

/** A value leads to all people who have it. */
export function AttributesPanel({ contact: { attributes } }: { contact: Contact }) {
  const t = useTexts(personTexts);
  const entries = Object.entries(attributes);
  return (
    <Panel>
      <PanelHead title={t.attributes} />
      {entries.length === 0 ? (
        <p className="px-5 pb-5 text-sm text-ink-soft">{t.noAttributes}</p>
      ) : (
        <dl className="flex flex-col px-5 pb-3 text-sm">
          {entries.map(([key, value]) => (
            <div key={key} className="flex min-h-10 items-center justify-between gap-6">
              <dt className="max-w-2/5 text-ink-soft break-words">{key}</dt>
              <dd className="min-w-0 text-right break-words">
                {value.trim() === '' ? (
                  value
                ) : (
                  <Link
                    to="/contacts"
                    search={{ attribute: `${key}:${value}` }}
                    aria-label={t.others(key, value)}
                    className="text-accent hover:underline"
                  >
                    {value}
                  </Link>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
