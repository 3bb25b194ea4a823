import { useState } from 'react';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { CodeBlock } from '../ui/code-block.js';
import { Moment } from '../ui/moment.js';
import type { Tone } from '../ui/tone.js';
import { eventTexts } from './texts.js';
import type { ShownEvent } from './use-live-events.js';

const good = /\.(delivered|read|recovered|paid)$/;
const bad = /\.(failed|expired|disabled|exhausted|undecryptable)$/;
const doubtful = /\.(unknown|waiting|low|expiring)$/;

export function toneOfType(type: string): Tone {
  if (good.test(type)) return 'ok';
  if (bad.test(type)) return 'bad';
  return doubtful.test(type) ? 'warn' : 'neutral';
}

/** The field that tells this event from others of its type. */
function factOf({ data }: ShownEvent): string | null {
  const facts: Record<string, unknown> = { ...data };
  const fact = ['phone_destination', 'reason', 'state', 'plan'].map((name) => facts[name]).find(Boolean);
  return typeof fact === 'string' ? fact : null;
}

export function EventRow({ event }: { event: ShownEvent }) {
  const t = useTexts(eventTexts);
  // The text is made when somebody opens the row: a page may have hundreds.
  const [open, setOpen] = useState(false);
  return (
    <li className="border-t border-line first:border-t-0">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm hover:bg-sunken">
          <Badge tone={toneOfType(event.type)}>{event.type}</Badge>
          <code className="min-w-0 truncate text-xs text-ink-soft">{event.subject.id}</code>
          <span className="min-w-0 truncate text-ink-soft">{factOf(event)}</span>
          <span className="ml-auto text-xs text-ink-faint">
            <Moment at={event.created_at} />
          </span>
        </summary>
        {open && (
          <div className="px-5 pt-3 pb-4">
            <CodeBlock label={t.json} code={JSON.stringify(event, null, 2)} />
          </div>
        )}
      </details>
    </li>
  );
}
