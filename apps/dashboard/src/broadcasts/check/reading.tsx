import { useTexts } from '../../i18n/texts.js';
import { Panel } from '../../ui/layout/panel.js';
import { checkTexts } from './texts.js';

/** A worker reads a file or contacts. `share` is the part that is read, from 0 to 1. */
export function Reading({ share }: { share: number }) {
  const t = useTexts(checkTexts);
  const percent = Math.floor(share * 100);
  return (
    <Panel className="flex flex-col gap-3 p-5">
      <p role="status" className="text-sm">
        {t.reading} <span className="tabular">{t.readShare(String(percent))}</span>
      </p>
      <div
        role="progressbar"
        aria-label={t.reading}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full bg-accent transition-[width] duration-500" style={{ width: `${percent}%` }} />
      </div>
    </Panel>
  );
}
