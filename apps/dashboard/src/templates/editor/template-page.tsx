import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiFailure } from '../../http/api-failure.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Tabs } from '../../ui/layout/tabs.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import { type Template, templateQuery, type TemplateVersion } from '../template-queries.js';
import { templateTexts } from '../texts.js';
import { ArchiveButton } from './archive-button.js';
import { useDraft } from './drafts.js';
import { Editor } from './editor.js';
import { Versions } from './versions.js';

export function TemplatePage() {
  const { templateId } = useParams({ from: '/signed-in/templates/$templateId' });
  return templateId === 'new' ? <NewTemplate /> : <StoredTemplate key={templateId} templateId={templateId} />;
}

function BackToList() {
  const t = useTexts(templateTexts);
  return (
    <Link
      to="/templates"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t.title}
    </Link>
  );
}

function NewTemplate() {
  const t = useTexts(templateTexts);
  const navigate = useNavigate();
  const mayChange = useMay('developer');
  const drafting = useDraft(null);
  const create = useCall('createTemplate', ['listTemplates']);
  const { name, text, footer } = drafting.draft;
  const open = ({ template_id: templateId }: Template) => {
    drafting.discard();
    toast(t.created);
    void navigate({ to: '/templates/$templateId', params: { templateId }, replace: true });
  };
  return (
    <Page title={t.create} before={<BackToList />}>
      {!mayChange && <Notice>{t.viewerOnly}</Notice>}
      <Editor
        drafting={drafting}
        readOnly={!mayChange}
        busy={create.isPending}
        failure={create.error}
        onSave={() => create.mutate({ body: { name, text, footer } }, { onSuccess: open })}
      />
    </Page>
  );
}

function StoredTemplate({ templateId }: { templateId: string }) {
  const t = useTexts(templateTexts);
  const { data, error, refetch } = useQuery(templateQuery(templateId));
  if (data !== undefined) return <LoadedTemplate template={data} />;
  return (
    <Page title={t.title} before={<BackToList />}>
      <FailureNotice failure={error} onRetry={refetch} />
      {error === null && (
        <Panel>
          <SkeletonLines count={6} />
        </Panel>
      )}
    </Page>
  );
}

function LoadedTemplate({ template }: { template: Template }) {
  const t = useTexts(templateTexts);
  const mayChange = useMay('developer') && template.archived_at === null;
  const drafting = useDraft(template);
  const [tab, setTab] = useState('editor');
  const save = useCall('createTemplateVersion', ['getTemplate', 'listTemplates', 'listTemplateVersions']);
  const { text, footer, base } = drafting.draft;
  const said = ({ version }: Template) => {
    drafting.discard();
    toast(t.saved(version));
  };
  const body = { text, footer, base_version: base };
  const restore = (version: TemplateVersion) => {
    drafting.change({ text: version.text, footer: version.footer ?? '' });
    setTab('editor');
    toast(t.restored(version.version));
  };
  const isConflict = save.error instanceof ApiFailure && save.error.code === 'TEMPLATE_CHANGED';
  const loadLatest = () => {
    drafting.discard();
    save.reset();
  };
  const editor = (
    <Editor
      drafting={drafting}
      readOnly={!mayChange}
      busy={save.isPending}
      failure={isConflict ? null : save.error}
      onSave={() => save.mutate({ params: { template_id: template.template_id }, body }, { onSuccess: said })}
    />
  );
  return (
    <Page
      title={template.name}
      note={t.version(template.version)}
      before={<BackToList />}
      actions={mayChange ? <ArchiveButton template={template} /> : undefined}
    >
      <StateNotice template={template} mayChange={mayChange} />
      {isConflict && <Conflict templateId={template.template_id} onLoad={loadLatest} />}
      <Tabs
        label={template.name}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'editor', label: t.tabs.editor, content: editor },
          {
            value: 'versions',
            label: t.tabs.versions,
            content: <Versions template={template} onRestore={mayChange ? restore : null} />,
          },
        ]}
      />
    </Page>
  );
}

function StateNotice({ template, mayChange }: { template: Template; mayChange: boolean }): ReactNode {
  const t = useTexts(templateTexts);
  if (template.archived_at !== null) return <Notice>{t.archivedNote}</Notice>;
  return mayChange ? null : <Notice>{t.viewerOnly}</Notice>;
}

function Conflict({ templateId, onLoad }: { templateId: string; onLoad: () => void }) {
  const t = useTexts(templateTexts);
  const latest = useQuery(templateQuery(templateId));
  const load = async () => {
    await latest.refetch();
    onLoad();
  };
  const button = (
    <Button size="small" busy={latest.isFetching} onClick={() => void load()}>
      {t.loadLatest}
    </Button>
  );
  return (
    <Notice tone="bad" live title={t.conflictTitle} action={button}>
      {t.conflictNote}
    </Notice>
  );
}
