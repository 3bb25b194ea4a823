import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { useFreshKey } from '../../session/fresh-key.js';
import { useMe } from '../../session/me.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Tabs } from '../../ui/layout/tabs.js';
import { pasteable, runLine, type Setting, settingLines } from './pasteable.js';
import { type Sample, samples } from './samples.js';
import { sendTexts } from './texts.js';

type CodeSamplesProps = { deviceId: string; recipient: string; text: string };

export function CodeSamples({ deviceId, recipient, text }: CodeSamplesProps) {
  const t = useTexts(sendTexts);
  const setting = useSetting(deviceId);
  const [language, setLanguage] = useState(samples[0]?.name ?? '');
  const message = { recipient, text };
  return (
    <Panel className="min-w-0">
      <PanelHead title={t.code} note={t.codeNote} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <KeyNote setting={setting} />
        <Tabs
          label={t.code}
          value={language}
          onChange={setLanguage}
          tabs={samples.map((sample) => ({
            value: sample.name,
            label: sample.name,
            content: <ShownSample sample={sample} setting={setting} message={message} />,
          }))}
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

type ShownSampleProps = { sample: Sample; setting: Setting; message: { recipient: string; text: string } };

function ShownSample({ sample, setting, message }: ShownSampleProps) {
  const t = useTexts(sendTexts);
  return (
    <div className="flex flex-col gap-4">
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
