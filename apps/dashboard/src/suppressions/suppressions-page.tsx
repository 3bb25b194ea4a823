import { useSearch } from '@tanstack/react-router';
import { Download, Plus, Upload } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Page } from '../ui/layout/page.js';
import { Tabs } from '../ui/layout/tabs.js';
import { useExport } from './export-suppressions.js';
import { OptOutPanel } from './opt-out-panel.js';
import { SuppressionList } from './suppression-list.js';
import { suppressionTexts } from './texts.js';

const AddDialog = lazy(async () => ({ default: (await import('./add-dialog.js')).AddDialog }));
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.js')).ImportDialog }));

export function SuppressionsPage() {
  const t = useTexts(suppressionTexts);
  const mayChange = useMay('developer');
  const { phone } = useSearch({ from: '/signed-in/suppressions' });
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  const exporting = useExport();
  const close = () => setOpen(null);
  const actions = (
    <>
      <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download aria-hidden className="size-4" />
        {t.export}
      </Button>
      {mayChange && (
        <>
          <Button onClick={() => setOpen('import')}>
            <Upload aria-hidden className="size-4" />
            {t.import}
          </Button>
          <Button look="primary" onClick={() => setOpen('add')}>
            <Plus aria-hidden className="size-4" />
            {t.add}
          </Button>
        </>
      )}
    </>
  );
  return (
    <Page title={t.title} note={mayChange ? t.note : `${t.note} ${t.viewerOnly}`} actions={actions}>
      <FailureNotice failure={exporting.error} />
      <Tabs
        label={t.title}
        tabs={[
          { value: 'people', label: t.tabs.people, content: <SuppressionList key={phone} phone={phone} /> },
          { value: 'words', label: t.tabs.words, content: <OptOutPanel /> },
        ]}
      />
      {open !== null && (
        <Suspense fallback={null}>
          {open === 'add' ? <AddDialog onClose={close} /> : <ImportDialog onClose={close} />}
        </Suspense>
      )}
    </Page>
  );
}
