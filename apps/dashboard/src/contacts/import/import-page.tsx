import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Page } from '../../ui/layout/page.js';
import { Notice } from '../../ui/notice.js';
import { listTexts } from '../list/texts.js';
import { FileForm } from './file-form.js';
import { ImportStatus } from './import-status.js';
import { importTexts } from './texts.js';
import { useImportId } from './use-import-id.js';

export function ImportPage() {
  const t = useTexts(importTexts);
  const { title } = useTexts(listTexts);
  const mayChange = useMay('developer');
  const [importId, setImportId] = useImportId();
  const back = (
    <Link
      to="/contacts"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {title}
    </Link>
  );
  return (
    <Page title={t.title} note={t.note} before={back}>
      {!mayChange && <Notice>{t.viewerOnly}</Notice>}
      {mayChange && importId === null && <FileForm onStarted={setImportId} />}
      {mayChange && importId !== null && <ImportStatus importId={importId} onAnother={() => setImportId(null)} />}
    </Page>
  );
}
