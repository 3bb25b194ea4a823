import { Skeleton, SkeletonLines } from './skeleton.js';

/** Stands for a page whose code is on its way. */
export function PendingPage() {
  return (
    <div aria-hidden className="mx-auto flex max-w-6xl flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8">
      <Skeleton className="h-8 w-56" />
      <SkeletonLines count={6} />
    </div>
  );
}
