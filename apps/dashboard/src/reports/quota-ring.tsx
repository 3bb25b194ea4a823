import { clsx } from 'clsx';

const radius = 30;
const length = 2 * Math.PI * radius;
const nearlyEmpty = 0.15;

/** A ring that shows the rest of the quota. */
export function QuotaRing({ share, label }: { share: number; label: string }) {
  const left = Math.max(0, Math.min(1, share));
  const percent = Math.round(left * 100);
  return (
    <svg viewBox="0 0 72 72" className="size-19 shrink-0 -rotate-90" role="img" aria-label={`${label}: ${percent} %`}>
      <circle cx="36" cy="36" r={radius} fill="none" strokeWidth="8" className="stroke-line" />
      <circle
        cx="36"
        cy="36"
        r={radius}
        fill="none"
        strokeWidth="8"
        strokeLinecap={left > 0.02 ? 'round' : 'butt'}
        strokeDasharray={`${left * length} ${length}`}
        className={clsx(left <= nearlyEmpty ? 'stroke-warn' : 'stroke-accent')}
      />
      <text
        x="36"
        y="36"
        dominantBaseline="central"
        textAnchor="middle"
        className="origin-center rotate-90 fill-ink text-[15px] font-semibold"
      >
        {percent}%
      </text>
    </svg>
  );
}
