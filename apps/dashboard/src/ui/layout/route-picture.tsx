import type { ReactNode } from 'react';

/** The picture of an empty page: a dotted route that leads to the icon of the missing thing. */
export function RoutePicture({ children }: { children: ReactNode }) {
  return (
    <div aria-hidden className="relative flex h-20 w-64 items-center justify-center">
      <svg viewBox="0 0 256 80" className="absolute inset-0 text-line-strong">
        <path
          d="M6 62 C 50 62, 56 22, 104 22"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray="1 7"
          strokeLinecap="round"
        />
        <path
          d="M152 58 C 200 58, 206 18, 250 18"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray="1 7"
          strokeLinecap="round"
        />
        <circle cx="6" cy="62" r="4" fill="currentColor" />
        <circle cx="250" cy="18" r="4" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <div className="relative grid size-14 place-items-center rounded-xl border border-line bg-surface text-accent shadow-lift [&>svg]:size-6">
        {children}
      </div>
    </div>
  );
}
