import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Select } from '../../form/select.js';
import { useTexts } from '../../i18n/texts.js';
import { useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { isFiltered, type Search } from './filters.js';
import { findSaved, readSaved, type SavedFilter, withSaved, writeSaved } from './saved-filters.js';
import { listTexts } from './texts.js';

/** Chooses, saves and forgets filters. */
export function SavedFilters({ search }: { search: Search }) {
  const l = useTexts(listTexts);
  const navigate = useNavigate({ from: '/messages' });
  const personId = useMe().user.user_id;
  const [saved, setSaved] = useState(() => readSaved(personId));
  const [naming, setNaming] = useState(false);
  const shown = findSaved(saved, search);
  const keep = (next: SavedFilter[]) => {
    setSaved(next);
    if (!writeSaved(personId, next)) toast(l.notSaved);
  };
  const choose = (name: string) => {
    const chosen = saved.find((one) => one.name === name);
    if (chosen !== undefined) void navigate({ search: chosen.search });
  };
  return (
    <>
      {saved.length > 0 && (
        <Select
          className="min-w-0"
          aria-label={l.saved}
          value={shown?.name ?? ''}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{l.chooseSaved}</option>
          {saved.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {shown !== undefined && (
        <Button look="quiet" size="small" onClick={() => keep(saved.filter((one) => one !== shown))}>
          {l.forget}
        </Button>
      )}
      {shown === undefined && isFiltered(search) && (
        <Button look="quiet" size="small" onClick={() => setNaming(true)}>
          {l.save}
        </Button>
      )}
      <Dialog open={naming} onClose={() => setNaming(false)} title={l.saveTitle} note={l.saveNote}>
        <NameForm
          onName={(name) => {
            keep(withSaved(saved, name, search));
            setNaming(false);
          }}
        />
      </Dialog>
    </>
  );
}

function NameForm({ onName }: { onName: (name: string) => void }) {
  const l = useTexts(listTexts);
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field label={l.name}>
        {(links) => <Input {...links} value={name} onChange={(event) => setName(event.target.value)} maxLength={60} />}
      </Field>
      <Button type="submit" look="primary" disabled={name.trim() === ''} className="self-start">
        {l.save}
      </Button>
    </form>
  );
}
