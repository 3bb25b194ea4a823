export function Spinner({ label }: { label?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className="size-4 shrink-0 animate-spin"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={!label}
    >
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
