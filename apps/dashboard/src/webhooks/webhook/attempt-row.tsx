import { type ReactNode, useState } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { type Attempt, toneOfOutcome, type Webhook } from '../state.js';
import { curlOf } from './curl.js';
import { ResendButton } from './resend-button.js';
import { sentenceOf } from './sentence-of.js';
import { deliveryTexts } from './texts.js';

export function AttemptRow({ attempt, webhook }: { attempt: Attempt; webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const [open, setOpen] = useState(false);
  return (
    <li className="border-t border-line first:border-t-0">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm hover:bg-sunken">
          <Badge tone={toneOfOutcome[attempt.outcome]}>{t.outcomes[attempt.outcome]}</Badge>
          <span className="font-medium">{attempt.type}</span>
          <span className="text-ink-soft">{attempt.error ?? attempt.status}</span>
          <span className="tabular text-xs text-ink-faint">
            {attempt.duration_ms} ms · {t.tries(attempt.tries)}
          </span>
          <span className="ml-auto text-xs text-ink-faint">
            <Moment at={attempt.at} />
          </span>
        </summary>
        {open && <AttemptDetails attempt={attempt} webhook={webhook} />}
      </details>
    </li>
  );
}

function AttemptDetails({ attempt, webhook }: { attempt: Attempt; webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const sentence = sentenceOf(attempt, t);
  const sent = attempt.event === null ? null : JSON.stringify(attempt.event);
  const request = [
    `POST ${webhook.url}`,
    'content-type: application/json',
    `webhook-id: ${attempt.event_id}`,
    `webhook-timestamp: ${Math.floor((Date.parse(attempt.at) - attempt.duration_ms) / 1_000)}`,
    'webhook-signature: v1,…',
    '',
    attempt.event === null ? t.erased : JSON.stringify(attempt.event, null, 2),
  ].join('\n');
  const head = attempt.status === null ? t.noAnswer : t.status(attempt.status);
  return (
    <div className="flex flex-col gap-4 px-5 pt-3 pb-5">
      {sentence !== null && (
        <Notice tone={toneOfOutcome[attempt.outcome]}>
          {sentence}
          {attempt.next_try_at !== null && (
            <span className="block text-ink-soft">
              {t.nextTry} <Moment at={attempt.next_try_at} />
            </span>
          )}
        </Notice>
      )}
      <Part title={t.request}>
        <CodeBlock label={t.request} code={request} />
      </Part>
      <Part title={t.answer}>
        <CodeBlock label={t.answer} code={`${head}\n\n${attempt.response || t.emptyAnswer}`} />
      </Part>
      {sent !== null && (
        <details>
          <summary className="cursor-pointer py-2.5 text-sm font-medium">{t.curl}</summary>
          <p className="mb-2 text-sm text-ink-soft">{t.curlNote}</p>
          <CodeBlock label={t.curl} code={curlOf(webhook.url, attempt.event_id, sent)} />
        </details>
      )}
      {attempt.event !== null && <ResendButton eventId={attempt.event_id} webhook={webhook} />}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      {children}
    </div>
  );
}
