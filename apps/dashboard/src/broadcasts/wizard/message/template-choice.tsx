import { usePages } from '../../../http/use-pages.js';
import { useTexts } from '../../../i18n/texts.js';
import { Button } from '../../../ui/button.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { SkeletonLines } from '../../../ui/layout/skeleton.js';
import { Notice } from '../../../ui/notice.js';
import { Choice } from '../../fields/choice.js';
import type { Drafting } from '../draft/use-draft.js';
import { useTemplate } from '../draft/use-message.js';
import { messageStepTexts } from './texts.js';

export function TemplateChoice({ drafting: { draft, change } }: { drafting: Drafting }) {
  const t = useTexts(messageStepTexts);
  const list = usePages('listTemplates');
  const templates = list.data?.pages.flatMap((page) => page.templates) ?? [];
  const chosen = useTemplate(draft);
  return (
    <>
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      {list.isPending && <SkeletonLines count={2} />}
      {list.isSuccess && templates.length === 0 && <Notice>{t.noTemplates}</Notice>}
      {templates.length > 0 && (
        <Choice
          stacked
          label={t.chooseTemplate}
          name="template"
          value={draft.templateId ?? ''}
          choices={templates.map(({ template_id: id, name, text }) => ({
            value: id,
            label: name,
            note: <span className="line-clamp-2 break-words">{text}</span>,
          }))}
          onChange={(templateId) => change({ templateId })}
        />
      )}
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.moreTemplates}
        </Button>
      )}
      {chosen !== undefined && chosen.footer === null && draft.category === 'marketing' && (
        <Notice tone="warn">{t.templateNoFooter}</Notice>
      )}
    </>
  );
}
