import { CopyButton } from './copy-button.js';

/** Shows a secret that no page shows again. */
export function RevealOnce({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-sm font-medium">{label}</span>
      <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-sm break-all select-all">{value}</code>
        <CopyButton text={value} iconOnly label={label} />
      </div>
    </div>
  );
}
