import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Moment } from '../../ui/moment.js';
import { type Template, type TemplateVersion, useVersions } from '../template-queries.js';
import { templateTexts } from '../texts.js';

type VersionsProps = { template: Template; onRestore: ((version: TemplateVersion) => void) | null };

/** All versions, newest first. One that is restored goes into the editor, and nothing is stored yet. */
export function Versions({ template, onRestore }: VersionsProps) {
  const t = useTexts(templateTexts);
  const list = useVersions(template.template_id);
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel>
        {list.isPending && <SkeletonLines count={3} />}
        <ol>
          {versions.map((version) => (
            <VersionRow
              key={version.version}
              version={version}
              isLatest={version.version === template.version}
              onRestore={onRestore}
            />
          ))}
        </ol>
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </div>
  );
}

type VersionRowProps = { version: TemplateVersion; isLatest: boolean; onRestore: VersionsProps['onRestore'] };

function VersionRow({ version, isLatest, onRestore }: VersionRowProps) {
  const t = useTexts(templateTexts);
  const { version: number, text, footer, created_by: by, created_at: at } = version;
  return (
    <li className="flex flex-col gap-3 border-t border-line px-5 py-4 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
          <span className="font-medium text-ink">{t.version(number)}</span>
          {isLatest && <Badge tone="accent">{t.latest}</Badge>}
          <span className="break-words">
            <Moment at={at} /> {t.by(by.name ?? t.somebody)}
          </span>
        </p>
        {!isLatest && onRestore !== null && (
          <Button size="small" aria-label={`${t.restore}: ${t.version(number)}`} onClick={() => onRestore(version)}>
            {t.restore}
          </Button>
        )}
      </div>
      <p className="rounded-md bg-sunken px-3.5 py-2.5 text-sm break-words whitespace-pre-wrap">
        {footer === null ? text : `${text}\n\n${footer}`}
      </p>
    </li>
  );
}
