import { Link } from '@tanstack/react-router';
import { FileText, Plus } from 'lucide-react';
import { usePages } from '../http/use-pages.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { Moment } from '../ui/moment.js';
import type { Template } from './template-queries.js';
import { templateTexts } from './texts.js';

export function TemplatesPage() {
  const t = useTexts(templateTexts);
  const mayChange = useMay('developer');
  const list = usePages('listTemplates');
  const templates = list.data?.pages.flatMap((page) => page.templates) ?? [];
  const isEmpty = list.data !== undefined && templates.length === 0;
  const button = mayChange && (
    <Button asChild look="primary">
      <Link to="/templates/$templateId" params={{ templateId: 'new' }}>
        <Plus aria-hidden className="size-4" />
        {t.create}
      </Link>
    </Button>
  );
  return (
    <Page title={t.title} note={t.note} actions={isEmpty ? undefined : button}>
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel>
        {list.isPending && <SkeletonLines count={3} />}
        {isEmpty && (
          <EmptyState
            picture={
              <RoutePicture>
                <FileText />
              </RoutePicture>
            }
            title={t.emptyTitle}
            actions={button}
          >
            {t.emptyNote}
          </EmptyState>
        )}
        <ul>
          {templates.map((template) => (
            <TemplateRow key={template.template_id} template={template} />
          ))}
        </ul>
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </Page>
  );
}

function TemplateRow({ template }: { template: Template }) {
  const t = useTexts(templateTexts);
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        to="/templates/$templateId"
        params={{ templateId: template.template_id }}
        className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-4 hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 basis-64">
          <span className="block font-medium break-words">{template.name}</span>
          <span className="line-clamp-2 text-sm break-words text-ink-soft">{template.text}</span>
        </span>
        <span className="text-sm text-ink-soft">
          {t.version(template.version)} · {t.changed} <Moment at={template.updated_at} />
        </span>
      </Link>
    </li>
  );
}
