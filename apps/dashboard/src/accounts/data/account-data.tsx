import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMe } from '../../session/me.js';
import { DataPanel } from './data-panel.js';
import { leaveTo } from './leave-to.js';
import { dataTexts } from './texts.js';
import { TypedConfirmDialog } from './typed-confirm-dialog.js';

export function AccountData() {
  const t = useTexts(dataTexts);
  const { name } = useMe().account;
  const [asking, setAsking] = useState(false);
  const erase = useCall('eraseAccount');
  // The gateway compares exactly, and the dialog does not look at case.
  const confirm = () => erase.mutate({ body: { name } }, { onSuccess: () => leaveTo('home') });
  return (
    <DataPanel
      title={t.account}
      note={t.accountNote}
      file="exportAccount"
      exportLabel={t.exportAccount}
      eraseLabel={t.eraseAccount}
      onErase={() => setAsking(true)}
    >
      {asking && (
        <TypedConfirmDialog
          onClose={() => setAsking(false)}
          title={t.eraseAccountTitle(name)}
          note={t.eraseAccountNote}
          label={t.typeName(name)}
          expected={name}
          action={t.eraseAccount}
          onConfirm={confirm}
          busy={erase.isPending}
          failure={erase.error}
        />
      )}
    </DataPanel>
  );
}
