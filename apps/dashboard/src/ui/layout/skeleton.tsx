import { clsx } from 'clsx';

/** A placeholder while the content loads. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={clsx('animate-breathe rounded-md bg-line', className)} />
);

export const SkeletonLines = ({ count }: { count: number }) => (
  <div aria-busy className="flex flex-col gap-3 p-5">
    {Array.from({ length: count }, (_, i) => (
      <Skeleton key={i} className="h-5" />
    ))}
  </div>
);
