import { Link } from '@tanstack/react-router';
import { Download, ListPlus, Megaphone } from 'lucide-react';
import { addressOf } from '../../http/call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { queryOf, type Search } from '../filter.js';
import { listTexts } from './texts.js';

type BulkActionsProps = { search: Search; onLists: () => void };

/** The actions for all people of the filter. */
export function BulkActions({ search, onLists }: BulkActionsProps) {
  const t = useTexts(listTexts);
  const mayChange = useMay('developer');
  const { q, list, attribute, consent } = search;
  return (
    <div role="group" aria-label={t.actions} className="flex flex-wrap gap-2">
      {/* A broadcast does not go to people because they have not agreed. */}
      {mayChange && consent !== 'no' && (
        <Button asChild>
          <Link to="/broadcasts/new" search={{ contacts: true, q, list, attribute, consent }}>
            <Megaphone aria-hidden className="size-4" />
            {t.broadcast}
          </Link>
        </Button>
      )}
      {mayChange && (
        <Button onClick={onLists}>
          <ListPlus aria-hidden className="size-4" />
          {t.changeLists}
        </Button>
      )}
      <Button asChild>
        <a href={addressOf('exportContacts', { query: queryOf(search) })} download>
          <Download aria-hidden className="size-4" />
          {t.export}
        </a>
      </Button>
    </div>
  );
}
