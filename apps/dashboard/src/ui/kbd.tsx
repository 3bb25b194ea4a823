/** The key that this machine holds down for a command. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** A key to press. Where a finger is the pointer, there is no keyboard. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd className="inline-grid h-5 min-w-5 place-items-center pointer-coarse:hidden rounded-sm border border-line-strong bg-surface px-1 text-[11px] leading-none text-ink-soft">
    {children}
  </kbd>
);
