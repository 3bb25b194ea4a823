import type { ReactNode } from 'react';

/** Names and values, one pair a line. */
export function Facts({ facts }: { facts: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className="flex flex-col gap-2 px-5 py-3 text-sm">
      {facts.map(([name, value], index) => (
        <div key={index} className="flex items-baseline justify-between gap-4">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="text-right tabular break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
