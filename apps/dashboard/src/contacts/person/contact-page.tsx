import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Pencil } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { formatPhone } from '../../format/phone.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { contactQuery, nameOf } from '../contact-queries.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { listTexts } from '../list/texts.js';
import { AttributesPanel } from './attributes-panel.js';
import { DeleteButton } from './delete-button.js';
import { FactsPanel } from './facts-panel.js';
import { OptedOut } from './opted-out.js';
import { personTexts } from './texts.js';
import { WrittenPanel } from './written-panel.js';

const EditDialog = lazy(async () => ({ default: (await import('../form/edit-dialog.js')).EditDialog }));

export function ContactPage() {
  const t = useTexts(personTexts);
  const { title } = useTexts(listTexts);
  const { contactId } = useParams({ from: '/signed-in/contacts/$contactId' });
  const mayChange = useMay('developer');
  const [isEditing, setEditing] = useState(false);
  const { data: contact, error, refetch } = useQuery(contactQuery(contactId));
  const hasName = contact !== undefined && contact.name !== null;
  const back = (
    <Link
      to="/contacts"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {title}
    </Link>
  );
  const actions = mayChange && contact !== undefined && (
    <>
      <Button onClick={() => setEditing(true)}>
        <Pencil aria-hidden className="size-4" />
        {t.edit}
      </Button>
      <DeleteButton contact={contact} />
    </>
  );
  return (
    <Page
      title={contact === undefined ? title : nameOf(contact)}
      note={hasName && <span className="tabular">{formatPhone(contact.phone)}</span>}
      before={back}
      actions={actions || undefined}
    >
      <FailureNotice failure={error} {...(contact === undefined ? {} : { onRetry: refetch })} />
      {contact === undefined && error === null && (
        <Panel>
          <SkeletonLines count={6} />
        </Panel>
      )}
      {contact !== undefined && (
        <>
          <OptedOut phone={contact.phone} />
          <div className="grid items-start gap-6 *:min-w-0 lg:grid-cols-2">
            <FactsPanel contact={contact} />
            <div className="flex flex-col gap-6">
              <AttributesPanel contact={contact} />
              <WrittenPanel phone={contact.phone} />
            </div>
          </div>
          <Suspense fallback={null}>
            {isEditing && <EditDialog contact={contact} onClose={() => setEditing(false)} />}
          </Suspense>
        </>
      )}
    </Page>
  );
}
