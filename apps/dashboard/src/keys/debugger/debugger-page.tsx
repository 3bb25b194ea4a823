import { type ComponentProps, useState } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { useFreshKey } from '../../session/fresh-key.js';
import { useMay } from '../../session/me.js';
import { Field } from '../../form/field.js';
import { Input, TextArea } from '../../form/input.js';
import { useNow } from '../../ui/moment.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { type Draft, emptyDraft } from './draft.js';
import { GatewayVerdict } from './gateway-verdict.js';
import { PasteRequest } from './paste-request.js';
import { SignedText } from './signed-text.js';
import { debuggerTexts } from './texts.js';

export function DebuggerPage() {
  const t = useTexts(debuggerTexts);
  const fresh = useFreshKey();
  const now = useNow();
  const mayAsk = useMay('developer');
  const [draft, setDraft] = useState<Draft>({
    ...emptyDraft,
    apiKey: fresh?.apiKey ?? '',
    secret: fresh?.apiSecret ?? '',
  });
  const bind = (name: keyof Draft) => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
    spellCheck: false,
    autoComplete: 'off',
    className: 'font-mono',
  });
  return (
    <Page title={t.title} note={t.note}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel className="flex flex-col gap-4 p-5">
          <PasteRequest draft={draft} onRead={setDraft} />
          <div className="grid gap-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <TextField label={t.method} {...bind('method')} />
            <TextField label={t.target} {...bind('target')} />
          </div>
          <TextField
            label={t.timestamp}
            {...bind('timestamp')}
            inputMode="numeric"
            placeholder={String(Math.floor(now / 1_000))}
          />
          <TextField label={t.version} hint={t.versionHint} {...bind('version')} inputMode="numeric" />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={t.deviceId} {...bind('deviceId')} placeholder="dev_…" />
            <TextField label={t.idempotencyKey} {...bind('idempotencyKey')} />
          </div>
          <Field label={t.body}>{(links) => <TextArea {...links} {...bind('body')} rows={4} />}</Field>
          <TextField label={t.signature} {...bind('signature')} />
          <Field label={t.yours} hint={t.yoursHint}>
            {(links) => <TextArea {...links} {...bind('yours')} rows={2} />}
          </Field>
          <TextField label={t.secret} hint={t.secretHint} {...bind('secret')} type="password" placeholder="ks_…" />
          <TextField label={t.apiKey} {...bind('apiKey')} placeholder="kk_…" />
        </Panel>
        <div className="flex flex-col gap-6 lg:sticky lg:top-6">
          <SignedText draft={draft} />
          {mayAsk && <GatewayVerdict draft={draft} />}
        </div>
      </div>
    </Page>
  );
}

function TextField({ label, hint, ...input }: ComponentProps<typeof Input> & { label: string; hint?: string }) {
  return (
    <Field label={label} hint={hint}>
      {(links) => <Input {...links} {...input} />}
    </Field>
  );
}
