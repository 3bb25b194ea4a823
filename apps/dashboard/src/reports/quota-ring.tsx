import type { Tone } from '../ui/tone.js';

const radius = 30;
const length = 2 * Math.PI * radius;

type RingTone = Extract<Tone, 'accent' | 'warn' | 'bad'>;
const looks: Record<RingTone, { track: string; part: string; text: string }> = {
  accent: { track: 'stroke-line', part: 'stroke-accent', text: 'fill-ink' },
  warn: { track: 'stroke-warn-soft', part: 'stroke-warn', text: 'fill-warn' },
  bad: { track: 'stroke-bad', part: 'stroke-bad', text: 'fill-bad' },
};

/** A ring that shows the rest of the quota. An empty one is not merely a grey circle. */
export function QuotaRing({ share, tone, label }: { share: number; tone: RingTone; label: string }) {
  const left = Math.max(0, Math.min(1, share));
  // Only a whole quota shows as whole, and only an empty one as empty.
  const percent = left > 0 ? Math.max(1, Math.floor(left * 100)) : 0;
  const look = looks[tone];
  return (
    <svg viewBox="0 0 72 72" className="size-19 shrink-0 -rotate-90" role="img" aria-label={`${label}: ${percent}%`}>
      <circle cx="36" cy="36" r={radius} fill="none" strokeWidth="8" className={look.track} />
      <circle
        cx="36"
        cy="36"
        r={radius}
        fill="none"
        strokeWidth="8"
        strokeLinecap={left > 0.02 ? 'round' : 'butt'}
        strokeDasharray={`${left * length} ${length}`}
        className={look.part}
      />
      <text
        x="36"
        y="36"
        dominantBaseline="central"
        textAnchor="middle"
        className={`origin-center rotate-90 text-[15px] font-semibold ${look.text}`}
      >
        {percent}%
      </text>
    </svg>
  );
}
