import type { DashboardData } from '@kurir/contracts/dashboard';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { formatPhone, phoneDigits } from '../format/format.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { Moment } from '../ui/moment.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { sandboxTexts } from './texts.js';

type PhoneListProps = { phones: DashboardData<'listPhones'>['phones']; number: string };

export function PhoneList({ phones, number }: PhoneListProps) {
  const t = useTexts(sandboxTexts);
  return (
    <Panel>
      <PanelHead title={t.phones} {...(phones.length === 0 ? { note: t.noPhones } : {})} />
      <ul className="max-h-80 overflow-y-auto px-2">
        {phones.map((phone) => (
          <li key={phone.number}>
            <Link
              to="/handset"
              search={{ number: phone.number }}
              aria-current={phone.number === number ? 'true' : undefined}
              className="flex items-center justify-between gap-3 rounded-md px-3 py-2.5 text-sm sm:py-2 hover:bg-sunken aria-[current=true]:bg-accent-soft"
            >
              <span className="font-medium tabular">{formatPhone(phone.number)}</span>
              <span className="text-xs text-ink-faint">
                {phone.last_message_at !== null && <Moment at={phone.last_message_at} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <OtherNumber />
    </Panel>
  );
}

function OtherNumber() {
  const t = useTexts(sandboxTexts);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/handset', search: { number: phoneDigits(typed) } });
    setTyped('');
  };
  return (
    <form onSubmit={submit} className="mt-2 flex items-end gap-2 border-t border-line p-5">
      <Field label={t.other} className="min-w-0 flex-1">
        {(links) => (
          <Input
            {...links}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            inputMode="tel"
            placeholder="0812 3456 7890"
            required
          />
        )}
      </Field>
      <Button type="submit">{t.open}</Button>
    </form>
  );
}
