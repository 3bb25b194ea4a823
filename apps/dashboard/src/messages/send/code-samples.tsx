import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuery } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useFreshKey } from '../../session/fresh-key.js';
import { useMe } from '../../session/me.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Tabs } from '../../ui/layout/tabs.js';
import { pasteable, runLine, type Setting, settingLines, type TestMessage } from './pasteable.js';
import { type Sample, samples } from './samples.js';
import { clientSample, commandSample, type MoreOfMessage } from './short-samples.js';
import { sendTexts } from './texts.js';

const first = '@kurir/client';

type CodeSamplesProps = { deviceId: string; recipient: string; text: string; more: MoreOfMessage };

export function CodeSamples({ deviceId, recipient, text, more }: CodeSamplesProps) {
  const t = useTexts(sendTexts);
  const setting = useSetting(deviceId);
  const [language, setLanguage] = useState(first);
  const message = { recipient, text };
  return (
    <Panel className="min-w-0">
      <PanelHead title={t.code} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <KeyNote setting={setting} />
        <Tabs
          label={t.code}
          value={language}
          onChange={setLanguage}
          tabs={[
            { value: first, label: first, content: <ShownClient setting={setting} message={message} more={more} /> },
            {
              value: 'kurir',
              label: 'kurir',
              content: <ShownCommand setting={setting} message={message} more={more} />,
            },
            ...samples.map((sample) => ({
              value: sample.name,
              label: sample.name,
              content: <ShownSample sample={sample} setting={setting} message={message} />,
            })),
          ]}
        />
      </div>
    </Panel>
  );
}

/** Uses the fresh key with its secret, or else the first key that is not revoked, without its secret. */
function useSetting(deviceId: string): Setting {
  const me = useMe();
  const fresh = useFreshKey();
  const keys = useQuery(readQuery('listKeys', {}));
  const apiKey = fresh?.apiKey ?? keys.data?.keys.find((key) => key.revoked_at === null)?.api_key ?? 'kk_…';
  return { baseUrl: me.api_url, apiKey, apiSecret: fresh?.apiSecret ?? 'ks_…', deviceId: deviceId || 'dev_…' };
}

function KeyNote({ setting }: { setting: Setting }) {
  const t = useTexts(sendTexts);
  const keys = useQuery(readQuery('listKeys', {}));
  if (setting.apiSecret !== 'ks_…') return <Notice tone="ok">{t.secretHere}</Notice>;
  if (setting.apiKey !== 'kk_…') return <Notice>{t.secretMissing}</Notice>;
  if (keys.data === undefined) return null;
  return (
    <Notice>
      {t.noKey}{' '}
      <Link to="/keys" search={{ create: true }} className="font-medium text-accent hover:underline">
        {t.makeKey}
      </Link>
    </Notice>
  );
}

type ShownProps = { setting: Setting; message: TestMessage };

function Install() {
  const t = useTexts(sendTexts);
  const place = useLanguage() === 'id' ? '/docs/id/quick-start' : '/docs/quick-start';
  return (
    <p className="text-sm text-ink-soft">
      {t.installNote}{' '}
      <a href={place} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
        {t.install}
      </a>
    </p>
  );
}

type ShortProps = ShownProps & { more: MoreOfMessage };

function ShownClient({ setting, message, more }: ShortProps) {
  const t = useTexts(sendTexts);
  const code = clientSample(setting, message, more);
  return (
    <div className="flex flex-col gap-4">
      <Install />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={`${code}\n`} label={t.copyCode} look="primary" />
        <CopyButton text={`${settingLines(setting)}\n`} label={t.copySettings} />
      </div>
      <Shown label={t.settings} code={settingLines(setting)} />
      <Shown label={t.file} code={code} />
    </div>
  );
}

function ShownCommand({ setting, message, more }: ShortProps) {
  const t = useTexts(sendTexts);
  const command = commandSample(message, more);
  return (
    <div className="flex flex-col gap-4">
      <Install />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={`${settingLines(setting)}\n\n${command}\n`} label={t.copyAll} look="primary" />
      </div>
      <Shown label={t.settings} code={settingLines(setting)} />
      <Shown label={t.run} code={command} />
    </div>
  );
}

/** A program that signs by itself. */
function ShownSample({ sample, setting, message }: ShownProps & { sample: Sample }) {
  const t = useTexts(sendTexts);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-soft">{t.codeNote}</p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={pasteable(sample, setting, message)} label={t.copyAll} look="primary" />
        <CopyButton text={sample.code} label={t.copyFile} />
      </div>
      <Shown label={t.settings} code={settingLines(setting)} />
      <Shown label={`${t.file} · ${sample.file}`} code={sample.code} tall />
      <Shown label={t.run} code={runLine(sample, message)} />
    </div>
  );
}

function Shown({ label, code, tall = false }: { label: string; code: string; tall?: boolean }) {
  return (
    <figure>
      <figcaption className="mb-1.5 text-xs text-ink-faint">{label}</figcaption>
      <pre
        tabIndex={0}
        aria-label={label}
        className={`overflow-auto rounded-md border border-line bg-sunken p-3.5 text-[12.5px] leading-relaxed ${tall ? 'max-h-80' : ''}`}
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
