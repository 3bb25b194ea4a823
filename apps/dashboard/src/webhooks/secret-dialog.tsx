import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { RevealOnce } from '../ui/reveal-once.js';
import { webhookTexts } from './texts.js';

/** The only place that shows the secret of a webhook, once. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const t = useTexts(webhookTexts);
  return (
    <Dialog open={secret !== null} onClose={onClose} title={t.secretTitle} note={t.secretNote}>
      {secret !== null && (
        <div className="flex flex-col gap-5">
          <RevealOnce label={t.secret} value={secret} />
          <Button look="primary" size="large" onClick={onClose}>
            {t.done}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
