import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { BookUser, Plus, Upload } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/layout/empty-state.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { RoutePicture } from '../../ui/layout/route-picture.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { useContacts } from '../contact-queries.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { cleaned, isFiltered, queryOf, type Search } from '../filter.js';
import { BulkActions } from './bulk-actions.js';
import { ContactRow } from './contact-row.js';
import { FilterBar } from './filter-bar.js';
import { listTexts } from './texts.js';

const AddDialog = lazy(async () => ({ default: (await import('../form/add-dialog.js')).AddDialog }));
const ChangeListsDialog = lazy(async () => ({
  default: (await import('./change-lists-dialog.js')).ChangeListsDialog,
}));

export function ContactsPage() {
  const t = useTexts(listTexts);
  const mayChange = useMay('developer');
  const search = useSearch({ from: '/signed-in/contacts' });
  const navigate = useNavigate();
  const [open, setOpen] = useState<'add' | 'lists' | null>(null);
  const list = useContacts(queryOf(search));
  const hasNobody = list.data?.pages[0]?.contacts.length === 0;
  const isEmpty = hasNobody && !isFiltered(search);
  const close = () => setOpen(null);
  const actions = mayChange ? <HeadActions onAdd={() => setOpen('add')} /> : undefined;
  const show = (next: Search) => void navigate({ to: '/contacts', search: cleaned(next), resetScroll: false });
  return (
    <Page
      title={t.title}
      note={mayChange ? t.note : `${t.note} ${t.viewerOnly}`}
      actions={isEmpty || list.isPending ? undefined : actions}
    >
      {isEmpty ? (
        <Panel>
          <EmptyState
            picture={
              <RoutePicture>
                <BookUser />
              </RoutePicture>
            }
            title={t.emptyTitle}
            actions={actions}
          >
            {t.emptyNote}
          </EmptyState>
        </Panel>
      ) : (
        <>
          <FilterBar search={search} onSearch={show} />
          {!hasNobody && <BulkActions search={search} onLists={() => setOpen('lists')} />}
          <People list={list} />
        </>
      )}
      <Suspense fallback={null}>
        {open === 'add' && <AddDialog list={search.list} onClose={close} />}
        {open === 'lists' && <ChangeListsDialog filter={queryOf(search)} onClose={close} />}
      </Suspense>
    </Page>
  );
}

function HeadActions({ onAdd }: { onAdd: () => void }) {
  const t = useTexts(listTexts);
  return (
    <>
      <Button asChild>
        <Link to="/contacts/import">
          <Upload aria-hidden className="size-4" />
          {t.import}
        </Link>
      </Button>
      <Button look="primary" onClick={onAdd}>
        <Plus aria-hidden className="size-4" />
        {t.add}
      </Button>
    </>
  );
}

function People({ list }: { list: ReturnType<typeof useContacts> }) {
  const t = useTexts(listTexts);
  const contacts = list.data?.pages.flatMap((page) => page.contacts) ?? [];
  return (
    <>
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel className="overflow-hidden">
        {contacts.length > 1 && <p className="border-b border-line px-5 py-2 text-xs text-ink-soft">{t.byName}</p>}
        {list.isPending && <SkeletonLines count={6} />}
        {list.data !== undefined && contacts.length === 0 && (
          <p className="px-5 py-12 text-center text-sm text-ink-soft">{t.nobody}</p>
        )}
        <ul aria-label={t.title}>
          {contacts.map((contact) => (
            <ContactRow key={contact.contact_id} contact={contact} />
          ))}
        </ul>
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </>
  );
}
