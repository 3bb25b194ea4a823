import { useEffect, useState } from 'react';
import { formatExactMoment, formatRelative } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';

const tickMs = 15_000;

/** The time now, renewed often enough for words like `3 minutes ago`. */
export function useNow(everyMs: number = tickMs): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long ago, with the exact time for who hovers or listens. */
export function Moment({ at }: { at: string }) {
  const language = useLanguage();
  const now = useNow();
  const atMs = Date.parse(at);
  // What just happened is newer than the last tick; it is now, not in the future.
  const reference = atMs > now && atMs - now <= tickMs ? atMs : now;
  return (
    <time dateTime={at} title={formatExactMoment(at, language)} className="whitespace-nowrap">
      {formatRelative(at, reference, language)}
    </time>
  );
}
