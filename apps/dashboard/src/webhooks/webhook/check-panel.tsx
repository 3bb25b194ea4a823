import type { WebhookFinding } from '@kurir/contracts/dashboard';
import { type FormEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input, TextArea } from '../../form/input.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { Notice } from '../../ui/notice.js';
import type { Webhook } from '../state.js';
import { webhookTexts } from '../texts.js';
import { deliveryTexts } from './texts.js';

/** Says why a receiver refuses a delivery that somebody pastes. */
export function CheckPanel({ webhook }: { webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const { optional } = useTexts(webhookTexts);
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const check = useCall('debugWebhook');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate({
      params: { webhook_id: webhook.webhook_id },
      body: { headers, body, ...(secret.trim() === '' ? {} : { secret: secret.trim() }) },
    });
  };
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <p className="max-w-prose text-sm text-ink-soft">{t.checkNote}</p>
      <Panel className="flex flex-col gap-5 p-5">
        <Field label={t.headers} hint={t.headersHint}>
          {(links) => (
            <TextArea
              {...links}
              className="font-mono"
              spellCheck={false}
              placeholder={'webhook-id: evt_…\nwebhook-timestamp: 1763690000\nwebhook-signature: v1,…'}
              value={headers}
              onChange={({ target }) => setHeaders(target.value)}
            />
          )}
        </Field>
        <Field label={t.body} hint={t.bodyHint}>
          {(links) => (
            <TextArea
              {...links}
              className="font-mono"
              spellCheck={false}
              placeholder='{"id":"evt_…"}'
              value={body}
              onChange={({ target }) => setBody(target.value)}
            />
          )}
        </Field>
        <Field label={t.ownSecret} hint={t.ownSecretHint} optional={optional}>
          {(links) => (
            <Input
              {...links}
              type="password"
              autoComplete="off"
              placeholder="whsec_…"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
            />
          )}
        </Field>
        <FailureNotice failure={check.error} />
        {check.data !== undefined && <Findings findings={check.data.findings} />}
        <Button type="submit" look="primary" className="self-start" busy={check.isPending}>
          {t.check}
        </Button>
      </Panel>
    </form>
  );
}

function Findings({ findings }: { findings: readonly WebhookFinding[] }) {
  const t = useTexts(deliveryTexts);
  const isRight = findings.includes('all_right');
  return (
    <Notice live tone={isRight ? 'ok' : 'bad'} title={isRight ? t.fits : t.fitsNot}>
      <ul className="flex flex-col gap-1.5">
        {findings.map((finding) => (
          <li key={finding}>{t.findings[finding]}</li>
        ))}
      </ul>
    </Notice>
  );
}
