import { useEffect, useState } from 'react';
import { formatExactMoment, formatRelative } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';

const tickMs = 15_000;

/** The current time. By default it renews often enough for words like `3 min ago`. */
export function useNow(everyMs: number = tickMs): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Shows how long ago a moment was. Its title is the exact time. */
export function Moment({ at }: { at: string }) {
  const language = useLanguage();
  const now = useNow();
  const atMs = Date.parse(at);
  // A new moment may be later than the last tick. Show it as now, not as a time in the future.
  const reference = atMs > now && atMs - now <= tickMs ? atMs : now;
  return (
    <time dateTime={at} title={formatExactMoment(at, language)} className="whitespace-nowrap">
      {formatRelative(at, reference, language)}
    </time>
  );
}
