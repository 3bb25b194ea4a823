import { ChevronRight } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { ApiFailure } from '../../http/api-failure.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/layout/panel.js';
import { Notice } from '../../ui/notice.js';
import { BroadcastFailure } from '../failure.js';
import { checkTexts } from './texts.js';

/** Sends the text to one number, with the values of the first person of the list. */
export function TestPanel({ broadcastId }: { broadcastId: string }) {
  const t = useTexts(checkTexts);
  const [number, setNumber] = useState('');
  const test = useCall('testBroadcast', ['listMessages']);
  const phone = number.trim();
  const isWrong = test.error instanceof ApiFailure && test.error.code === 'INVALID_PHONE_NUMBER';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (phone !== '') test.mutate({ params: { broadcast_id: broadcastId }, body: { phone } });
  };
  return (
    <Panel>
      <details className="group px-5 py-2">
        <summary className="flex min-h-11 cursor-pointer items-center gap-1.5 text-sm font-medium">
          <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
          {t.test}
        </summary>
        <form noValidate className="flex flex-col gap-4 pt-2 pb-3" onSubmit={submit}>
          <Field label={t.testNumber} hint={t.testHint} error={isWrong ? t.wrongNumber : undefined}>
            {(links) => (
              <Input
                {...links}
                type="tel"
                autoComplete="tel"
                className="sm:max-w-72"
                value={number}
                onChange={({ target }) => setNumber(target.value)}
              />
            )}
          </Field>
          {!isWrong && <BroadcastFailure failure={test.error} />}
          {test.isSuccess && (
            <Notice tone="ok" live>
              {t.tested}
            </Notice>
          )}
          <Button type="submit" className="sm:self-start" busy={test.isPending} disabled={phone === ''}>
            {t.testAction}
          </Button>
        </form>
      </details>
    </Panel>
  );
}
