import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMe } from '../../session/me.js';
import { DataPanel } from './data-panel.js';
import { leaveTo } from './leave-to.js';
import { dataTexts } from './texts.js';
import { TypedConfirmDialog } from './typed-confirm-dialog.js';

export function MyData() {
  const t = useTexts(dataTexts);
  const { email } = useMe().user;
  const [asking, setAsking] = useState(false);
  const erase = useCall('eraseMe');
  const confirm = (typed: string) => erase.mutate({ body: { email: typed } }, { onSuccess: () => leaveTo('sign-in') });
  return (
    <DataPanel
      title={t.mine}
      note={t.mineNote}
      file="exportMe"
      exportLabel={t.exportMine}
      eraseLabel={t.eraseMe}
      onErase={() => setAsking(true)}
    >
      {asking && (
        <TypedConfirmDialog
          onClose={() => setAsking(false)}
          title={t.eraseMeTitle}
          note={t.eraseMeNote}
          label={t.typeAddress(email)}
          expected={email}
          action={t.eraseMe}
          onConfirm={confirm}
          busy={erase.isPending}
          failure={erase.error}
        />
      )}
    </DataPanel>
  );
}
