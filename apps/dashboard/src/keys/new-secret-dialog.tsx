import type { DashboardData } from '@kurir/contracts/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { RevealOnce } from '../ui/reveal-once.js';
import { rememberFreshKey } from '../session/fresh-key.js';
import { keyTexts } from './texts.js';

type NewSecretDialogProps = { made: DashboardData<'createKey'> | null; onClose: () => void };

/** The only place that shows a secret, once. */
export function NewSecretDialog({ made, onClose }: NewSecretDialogProps) {
  const t = useTexts(keyTexts);
  const navigate = useNavigate();
  useEffect(() => {
    if (made !== null) rememberFreshKey({ apiKey: made.key.api_key, apiSecret: made.api_secret });
  }, [made]);
  return (
    <Dialog open={made !== null} onClose={onClose} title={t.secretTitle} note={t.secretNote}>
      {made !== null && (
        <div className="flex flex-col gap-5">
          <RevealOnce label={t.apiKey} value={made.key.api_key} />
          <RevealOnce label={t.apiSecret} value={made.api_secret} />
          <div className="flex flex-row-reverse flex-wrap gap-2">
            <Button look="primary" onClick={() => void navigate({ to: '/send' })}>
              {t.useIt}
            </Button>
            <Button onClick={onClose}>{t.done}</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
