import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatPhone } from '../../format/phone.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Moment } from '../../ui/moment.js';
import type { Contact } from '../contact-queries.js';
import { localeName, zoneName } from '../words.js';
import { personTexts } from './texts.js';

export function FactsPanel({ contact }: { contact: Contact }) {
  const t = useTexts(personTexts);
  const language = useLanguage();
  const { phone, lists, consent, locale, time_zone: zone } = contact;
  return (
    <Panel>
      <PanelHead title={t.facts} />
      <dl className="flex flex-col gap-3 px-5 pb-5 text-sm">
        <Fact term={t.phone}>
          <span className="tabular">{formatPhone(phone)}</span>
        </Fact>
        <Fact term={t.lists}>{lists.length === 0 ? t.noLists : <Lists lists={lists} />}</Fact>
        <Fact term={t.consent}>
          {consent === null ? (
            t.noConsent
          ) : (
            <>
              {t.consentSince(consent.source)}
              <Moment at={consent.at} />
            </>
          )}
        </Fact>
        <Fact term={t.zone}>{zone === null ? t.usualZone : zoneName(zone)}</Fact>
        <Fact term={t.language}>{locale === null ? t.unknown : localeName(locale, language)}</Fact>
        <Fact term={t.added}>
          <Moment at={contact.created_at} />
        </Fact>
        {contact.updated_at !== contact.created_at && (
          <Fact term={t.changed}>
            <Moment at={contact.updated_at} />
          </Fact>
        )}
      </dl>
    </Panel>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-6">
      <dt className="shrink-0 text-ink-soft">{term}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}

function Lists({ lists }: { lists: readonly string[] }) {
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {lists.map((list) => (
        <Link
          key={list}
          to="/contacts"
          search={{ list }}
          className="inline-flex min-h-10 max-w-full items-center rounded-full bg-sunken px-3 font-medium hover:underline sm:min-h-8"
        >
          <span className="truncate">{list}</span>
        </Link>
      ))}
    </span>
  );
}
