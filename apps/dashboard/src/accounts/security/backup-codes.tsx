import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { securityTexts } from './texts.js';

export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTexts(securityTexts);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="font-semibold">{t.backup}</p>
        <p className="text-sm text-ink-soft">{t.backupNote}</p>
      </div>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md border border-line bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-row-reverse gap-2">
        <Button look="primary" onClick={onDone}>
          {t.saved}
        </Button>
        <CopyButton text={codes.join('\n')} size="medium" />
      </div>
    </div>
  );
}
