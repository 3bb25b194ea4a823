/** The fields of a new webhook and of an existing one. The gateway checks them and says what is wrong. */
import { type EventType, eventTypeNames, limits } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { devicesQuery } from '../devices/device-queries.js';
import { eventTexts, nameOfGroup } from '../events/texts.js';
import { groupTypes } from '../events/type-groups.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { Select } from '../form/select.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import type { Webhook } from './state.js';
import { webhookTexts } from './texts.js';

export type Draft = Pick<Webhook, 'url' | 'description' | 'mode' | 'max_per_second' | 'types' | 'device_ids'>;

export const emptyDraft: Draft = {
  url: 'https://',
  description: '',
  mode: 'parallel',
  max_per_second: null,
  types: [],
  device_ids: [],
};

// Every webhook gets its own pings.
const offeredTypes: readonly EventType[] = eventTypeNames.filter((type) => type !== 'webhook.ping');

type WebhookFormProps = {
  first: Draft;
  action: string;
  busy: boolean;
  failure: Error | null;
  onSubmit: (draft: Draft) => void;
};

export function WebhookForm({ first, action, busy, failure, onSubmit }: WebhookFormProps) {
  const t = useTexts(webhookTexts);
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ ...draft, url: draft.url.trim() });
  };
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <Field label={t.url} hint={t.urlHint}>
        {(links) => (
          <Input
            {...links}
            type="url"
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={first === emptyDraft}
            maxLength={limits.webhookUrlMaxLength}
            value={draft.url}
            onChange={({ target }) => change({ url: target.value })}
          />
        )}
      </Field>
      <Field label={t.description} optional={t.optional}>
        {(links) => (
          <Input
            {...links}
            maxLength={limits.webhookDescriptionMaxLength}
            placeholder={t.descriptionPlaceholder}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        )}
      </Field>
      <TypeChoice chosen={draft.types} onChange={(types) => change({ types })} />
      <DeviceChoice chosen={draft.device_ids} onChange={(ids) => change({ device_ids: ids })} />
      <Pace draft={draft} onChange={change} />
      <FailureNotice failure={failure} />
      <Button type="submit" look="primary" size="large" busy={busy}>
        {action}
      </Button>
    </form>
  );
}

function Pace({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const t = useTexts(webhookTexts);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={t.mode} hint={t.modeHint}>
        {(links) => (
          <Select
            {...links}
            value={draft.mode}
            onChange={({ target }) => onChange({ mode: target.value === 'ordered' ? 'ordered' : 'parallel' })}
          >
            <option value="parallel">{t.parallel}</option>
            <option value="ordered">{t.ordered}</option>
          </Select>
        )}
      </Field>
      <Field label={t.maxPerSecond} optional={t.optional}>
        {(links) => (
          <Input
            {...links}
            type="number"
            inputMode="numeric"
            min={1}
            max={limits.webhookMaxPerSecond}
            placeholder={t.noLimit}
            value={draft.max_per_second ?? ''}
            onChange={({ target }) => onChange({ max_per_second: target.value === '' ? null : Number(target.value) })}
          />
        )}
      </Field>
    </div>
  );
}

type ChoiceProps = { chosen: readonly string[]; onChange: (chosen: string[]) => void };

/** An empty list means all, so the last mark cannot be taken away while only some are wanted. */
function Choice({
  chosen,
  onChange,
  legend,
  all,
  some,
  first,
  children,
}: ChoiceProps & { legend: string; all: string; some: string; first: string[]; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        {[false, true].map((limited) => (
          <label key={String(limited)} className="flex min-h-11 sm:min-h-8 cursor-pointer items-center gap-2">
            <input
              type="radio"
              checked={chosen.length > 0 === limited}
              onChange={() => onChange(limited ? first : [])}
              className="size-4 accent-accent"
            />
            {limited ? some : all}
          </label>
        ))}
      </div>
      {chosen.length > 0 && <div className="mt-2 rounded-md border border-line p-3.5">{children}</div>}
    </fieldset>
  );
}

function Mark({ value, label, chosen, onChange }: ChoiceProps & { value: string; label: ReactNode }) {
  const checked = chosen.includes(value);
  const isLast = checked && chosen.length === 1;
  return (
    <label className="flex min-h-11 sm:min-h-8 cursor-pointer items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        aria-disabled={isLast}
        onChange={() => !isLast && onChange(checked ? chosen.filter((one) => one !== value) : [...chosen, value])}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 break-words">{label}</span>
    </label>
  );
}

function TypeChoice(choice: ChoiceProps) {
  const t = useTexts(webhookTexts);
  const { groups } = useTexts(eventTexts);
  const first = ['message.delivered', 'message.failed', 'message.expired', 'message.unknown'];
  return (
    <Choice {...choice} legend={t.types} all={t.usualTypes} some={t.someTypes} first={first}>
      <p className="mb-2 text-xs text-ink-faint">{t.usualTypesHint}</p>
      {groupTypes(offeredTypes).map(([group, types]) => (
        <div key={group} role="group" aria-label={nameOfGroup(group, groups)} className="mb-2 last:mb-0">
          <p className="text-xs font-medium text-ink-soft">{nameOfGroup(group, groups)}</p>
          <div className="grid sm:grid-cols-2">
            {types.map((type) => (
              <Mark key={type} {...choice} value={type} label={<code className="text-xs">{type}</code>} />
            ))}
          </div>
        </div>
      ))}
    </Choice>
  );
}

function DeviceChoice(choice: ChoiceProps) {
  const t = useTexts(webhookTexts);
  const { data = [] } = useQuery(devicesQuery());
  const [first] = data;
  if (first === undefined) return null;
  return (
    <Choice {...choice} legend={t.devices} all={t.allDevices} some={t.someDevices} first={[first.device_id]}>
      {data.map(({ device_id: id, name }) => (
        <Mark key={id} {...choice} value={id} label={name} />
      ))}
    </Choice>
  );
}
