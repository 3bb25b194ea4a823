/** The logo: a K whose leg is a route that ends at a stop. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 7.5v17M9 17.2 21.5 7.5M13.6 13.7 22 24.5"
        fill="none"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
      <circle cx="22.6" cy="24.4" r="2.8" className="fill-[#f3b94d]" />
    </svg>
  );
}

export function Brand() {
  return (
    <span className="flex items-center gap-2.5">
      <BrandMark className="size-7" />
      <span className="text-lg font-semibold tracking-[-0.03em]">Kurir</span>
    </span>
  );
}
