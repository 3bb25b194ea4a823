import { operationsForPeople } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { useFieldSentence } from '../form/field-sentence.js';
import { schemaResolver } from '../form/schema-resolver.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { Switch } from '../form/switch.js';
import { toast } from '../ui/overlays/toasts.js';
import type { Plan } from './rows.js';
import { operatorTexts } from './texts.js';

const schema = operationsForPeople.adminCreatePlan.body;
type Body = z.input<typeof schema>;

const number = (text: unknown) => (text === '' || text === null ? null : Number(text));

/** Creates a plan, or changes an existing plan, whose name stays. */
export function PlanDialog({ plan, onClose }: { plan: Plan | null; onClose: () => void }) {
  const t = useTexts(operatorTexts);
  const [active, setActive] = useState(plan?.active ?? true);
  const create = useCall('adminCreatePlan', ['adminListPlans', 'listPlans']);
  const change = useCall('adminChangePlan', ['adminListPlans', 'listPlans']);
  const form = useForm<Body, unknown, z.output<typeof schema>>({
    resolver: schemaResolver(schema),
    defaultValues:
      plan === null
        ? { name: '', duration_days: 30, price: 100_000, quota: 1_000 }
        : { name: plan.name, duration_days: plan.duration_days, price: plan.price, quota: plan.quota },
  });
  const sentenceOf = useFieldSentence();
  const { errors } = form.formState;
  const done = {
    onSuccess: () => {
      toast(t.saved);
      onClose();
    },
  };
  const save = form.handleSubmit(() => {
    const { name, ...terms } = form.getValues();
    if (plan === null) create.mutate({ body: { name, ...terms } }, done);
    else change.mutate({ params: { plan_id: plan.plan_id }, body: { ...terms, active } }, done);
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={plan === null ? t.newPlan : t.editPlan(plan.name)}
      {...(plan === null ? {} : { note: t.editPlanNote })}
    >
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        {plan === null && (
          <Field label={t.name} error={sentenceOf(errors.name)}>
            {(links) => <Input {...links} {...form.register('name')} autoFocus maxLength={64} />}
          </Field>
        )}
        <Field label={t.days} error={sentenceOf(errors.duration_days)}>
          {(links) => (
            <Input {...links} {...form.register('duration_days', { setValueAs: number })} inputMode="numeric" />
          )}
        </Field>
        <Field label={t.price} error={sentenceOf(errors.price)}>
          {(links) => <Input {...links} {...form.register('price', { setValueAs: number })} inputMode="numeric" />}
        </Field>
        <Field label={t.quota} hint={t.quotaHint} error={sentenceOf(errors.quota)}>
          {(links) => (
            <Input
              {...links}
              {...form.register('quota', { setValueAs: number })}
              inputMode="numeric"
              placeholder={t.unlimited}
            />
          )}
        </Field>
        {plan !== null && (
          <label className="flex min-h-11 items-center justify-between gap-4 text-sm font-medium">
            {t.active}
            <Switch checked={active} onCheckedChange={setActive} aria-label={t.active} />
          </label>
        )}
        <FailureNotice failure={create.error ?? change.error} />
        <Button type="submit" look="primary" size="large" busy={create.isPending || change.isPending}>
          {t.save}
        </Button>
      </form>
    </Dialog>
  );
}
