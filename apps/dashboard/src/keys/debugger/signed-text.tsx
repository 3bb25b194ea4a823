import { useTexts } from '../../i18n/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { differenceOf } from './difference.js';
import type { Draft } from './draft.js';
import { debuggerTexts } from './texts.js';
import { useVerdict, type Verdict } from './use-verdict.js';

export function SignedText({ draft }: { draft: Draft }) {
  const t = useTexts(debuggerTexts);
  const verdict = useVerdict(draft);
  if (verdict === null) return null;
  return (
    <Panel>
      <PanelHead title={t.result} actions={<CopyButton text={verdict.text} />} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <Parts text={verdict.text} />
        {draft.yours !== '' && <ShownDifference yours={draft.yours} ours={verdict.text} />}
        {verdict.signature !== null && (
          <div>
            <p className="mb-1 text-xs text-ink-faint">{t.computed}</p>
            <code className="block text-xs break-all">{verdict.signature}</code>
          </div>
        )}
        <Judgement verdict={verdict} />
      </div>
    </Panel>
  );
}

/** Shows each of the four parts of the signed text in a colour of its own, with the separators between them. */
function Parts({ text }: { text: string }) {
  const [method = '', ...rest] = text.split(':');
  const hash = rest.pop() ?? '';
  const timestamp = rest.pop() ?? '';
  const parts = [method, rest.join(':'), timestamp, hash];
  const marks = [
    'bg-accent-soft text-accent',
    'bg-warn-soft text-warn',
    'bg-ok-soft text-ok',
    'bg-sunken text-ink-soft',
  ];
  return (
    <p className="rounded-md border border-line bg-paper p-3.5 font-mono text-[12.5px] leading-loose break-all">
      {parts.map((part, i) => (
        <span key={marks[i]}>
          {i > 0 && <b className="px-0.5">:</b>}
          <span className={`rounded-sm px-1 py-0.5 ${marks[i]}`}>{part}</span>
        </span>
      ))}
    </p>
  );
}

function Judgement({ verdict }: { verdict: Verdict }) {
  const t = useTexts(debuggerTexts);
  if (verdict.signature === null) return <p className="text-sm text-ink-soft">{t.needSecret}</p>;
  if (verdict.isRight === null) return null;
  if (verdict.isRight) {
    return (
      <Notice tone="ok" title={t.right} live>
        {t.rightNote}
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={t.wrong} live>
      {verdict.mistake === null ? t.unexplained : t.mistakes[verdict.mistake]}
    </Notice>
  );
}

function ShownDifference({ yours, ours }: { yours: string; ours: string }) {
  const t = useTexts(debuggerTexts);
  const difference = differenceOf(yours, ours);
  if (difference === null) return <Notice tone="ok">{t.sameText}</Notice>;
  const lines = [
    { name: t.yoursLabel, rest: difference.yours, look: 'bg-bad-soft text-bad' },
    { name: t.oursLabel, rest: difference.ours, look: 'bg-ok-soft text-ok' },
  ];
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">{t.difference}</p>
      <dl className="flex flex-col gap-1.5 rounded-md border border-line bg-paper p-3.5 font-mono text-[12.5px] break-all">
        {lines.map(({ name, rest, look }) => (
          <div key={name}>
            <dt className="font-sans text-xs text-ink-faint">{name}</dt>
            <dd>
              {difference.same}
              <mark className={`rounded-sm px-0.5 ${look}`}>{rest === '' ? t.end : rest}</mark>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
