import { useTexts } from '../../i18n/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { type Difference, differenceOf, differingParts } from './difference.js';
import type { Draft } from './draft.js';
import type { Part, PartName } from './signing.js';
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
        <Parts parts={verdict.parts} />
        {draft.yours !== '' && <ShownDifference yours={draft.yours} verdict={verdict} />}
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

const partLooks: Readonly<Record<PartName, string>> = {
  version: 'bg-sunken text-ink-soft',
  method: 'bg-accent-soft text-accent',
  target: 'bg-warn-soft text-warn',
  timestamp: 'bg-ok-soft text-ok',
  deviceId: 'bg-accent-soft text-accent',
  keyHash: 'bg-warn-soft text-warn',
  bodyHash: 'bg-sunken text-ink-soft',
};

/** Shows each part of the signed text in a colour, with the separators between them. */
function Parts({ parts }: { parts: readonly Part[] }) {
  const t = useTexts(debuggerTexts);
  return (
    <p className="rounded-md border border-line bg-paper p-3.5 font-mono text-[12.5px] leading-loose break-all">
      {parts.map(({ name, text }, i) => (
        <span key={name}>
          {i > 0 && <b className="px-0.5">:</b>}
          <span title={t.parts[name]} className={`rounded-sm px-1 py-0.5 ${partLooks[name]}`}>
            {text}
          </span>
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

/** Shows what differs part by part, or from the first difference on if the texts have different numbers of parts. */
function ShownDifference({ yours, verdict }: { yours: string; verdict: Verdict }) {
  const t = useTexts(debuggerTexts);
  const whole = differenceOf(yours, verdict.text);
  if (whole === null) return <Notice tone="ok">{t.sameText}</Notice>;
  const byPart = differingParts(yours, verdict.parts);
  return (
    <div className="flex flex-col gap-3">
      {byPart === null ? (
        <>
          <p className="text-sm text-ink-soft">{t.otherParts(verdict.parts.length)}</p>
          <Lines title={t.difference} difference={whole} />
        </>
      ) : (
        byPart.map((difference) => (
          <Lines key={difference.name} title={t.differsIn(t.parts[difference.name])} difference={difference} />
        ))
      )}
    </div>
  );
}

function Lines({ title, difference }: { title: string; difference: Difference }) {
  const t = useTexts(debuggerTexts);
  const lines = [
    { name: t.yoursLabel, rest: difference.yours, look: 'bg-bad-soft text-bad' },
    { name: t.oursLabel, rest: difference.ours, look: 'bg-ok-soft text-ok' },
  ];
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">{title}</p>
      <dl className="flex flex-col gap-1.5 rounded-md border border-line bg-paper p-3.5 font-mono text-[12.5px] break-all">
        {lines.map(({ name, rest, look }) => (
          <div key={name}>
            <dt className="font-sans text-xs text-ink-faint">{name}</dt>
            <dd>
              {difference.same}
              <mark className={`rounded-sm px-0.5 ${look}`}>
                {rest === '' ? (difference.same === '' ? t.empty : t.end) : rest}
              </mark>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
