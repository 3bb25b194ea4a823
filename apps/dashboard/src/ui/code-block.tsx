import { CopyButton } from './copy-button.js';

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="relative overflow-hidden rounded-md border border-line bg-sunken">
      <div className="absolute top-2 right-2">
        <CopyButton text={code} />
      </div>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-[26rem] overflow-auto p-4 pr-24 text-[12.5px] leading-relaxed"
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
