import type { DashboardBodyInput } from '@kurir/contracts/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../broadcasts/fields/choice.js';
import { formatCount } from '../../format/format.js';
import { call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { afterChange, type ContactQuery } from '../contact-queries.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { ListsField } from '../fields/lists-field.js';
import { listTexts } from './texts.js';

/** Calls again until nobody is left. A second run changes nothing twice. */
function useChangeLists() {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  const mutation = useMutation({
    mutationFn: async (body: DashboardBodyInput<'changeContactLists'>): Promise<number> => {
      for (let sum = 0; ; ) {
        const { changed, has_more: hasMore } = await call('changeContactLists', { body });
        sum += changed;
        setDone(sum);
        if (!hasMore) return sum;
      }
    },
    onSettled: () => Promise.all(afterChange.map((name) => client.invalidateQueries({ queryKey: queryKey(name) }))),
  });
  return { ...mutation, done };
}

type ChangeListsDialogProps = { filter: ContactQuery; onClose: () => void };

/** Adds all people of the filter to lists, or takes them out. */
export function ChangeListsDialog({ filter, onClose }: ChangeListsDialogProps) {
  const t = useTexts(listTexts);
  const language = useLanguage();
  const [way, setWay] = useState<'add' | 'remove'>('add');
  const [lists, setLists] = useState<readonly string[]>([]);
  const { mutate, isPending, error, done } = useChangeLists();
  const count = (value: number) => formatCount(value, language);
  const said = (sum: number) => {
    onClose();
    toast(t.changed(count(sum)));
  };
  return (
    <Dialog open onClose={onClose} title={t.listsTitle} note={t.listsNote}>
      <div className="flex flex-col gap-5">
        <Choice
          label={t.changeLists}
          name="way"
          value={way}
          choices={[
            { value: 'add', label: t.ways.add },
            { value: 'remove', label: t.ways.remove },
          ]}
          onChange={(chosen) => {
            setWay(chosen);
            setLists([]);
          }}
        />
        <ListsField key={way} chosen={lists} onChange={setLists} hasNew={way === 'add'} />
        <FailureNotice failure={error} />
        <Button
          look="primary"
          size="large"
          busy={isPending}
          disabled={lists.length === 0}
          onClick={() => mutate({ filter, [way]: [...lists] }, { onSuccess: said })}
        >
          {isPending ? t.changing(count(done)) : way === 'add' ? t.addTo : t.removeFrom}
        </Button>
      </div>
    </Dialog>
  );
}
