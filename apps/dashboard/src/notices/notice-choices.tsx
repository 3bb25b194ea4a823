import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Switch } from '../form/switch.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { noticeTexts } from './texts.js';

type Choice = DashboardData<'listNoticeChoices'>['choices'][number];

/** The label makes the target as large as a finger. */
const BigSwitch = ({ label, ...rest }: Omit<ComponentProps<typeof Switch>, 'aria-label'> & { label: string }) => (
  <label className="flex h-11 items-center justify-center">
    <span className="sr-only">{label}</span>
    <Switch {...rest} aria-label={label} />
  </label>
);

function ChoiceRow({ choice, onChoose }: { choice: Choice; onChoose: (next: Choice) => void }) {
  const t = useTexts(noticeTexts);
  const { kind, mail, bell, always } = choice;
  const label = t.kinds[kind];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_3.5rem_3.5rem] items-center gap-x-3 border-t border-line px-5 py-1.5">
      <div className="min-w-0 text-sm">
        {label}
        {always && <span className="block text-xs text-ink-faint">{t.always}</span>}
      </div>
      <BigSwitch
        label={`${label}: ${t.mail}`}
        checked={mail}
        disabled={always}
        onCheckedChange={(next) => onChoose({ ...choice, mail: next })}
      />
      <BigSwitch
        label={`${label}: ${t.bell}`}
        checked={bell}
        onCheckedChange={(next) => onChoose({ ...choice, bell: next })}
      />
    </li>
  );
}

/** A switch for the mail and one for the bell, for each kind that the role of the person gets. */
export function NoticeChoices() {
  const t = useTexts(noticeTexts);
  const { data, error, refetch } = useQuery(readQuery('listNoticeChoices', {}));
  const choose = useCall('chooseNotices', ['listNoticeChoices']);
  const choices = data?.choices ?? [];
  /** The switch moves at once, and back if the gateway refuses. */
  const shown = (choice: Choice): Choice =>
    choose.isPending && choose.variables.body.kind === choice.kind
      ? { ...choice, mail: choose.variables.body.mail, bell: choose.variables.body.bell }
      : choice;
  return (
    <Panel>
      <PanelHead title={t.choices} note={t.choicesNote} />
      <FailureNotice failure={error ?? choose.error} onRetry={refetch} />
      {data === undefined && error === null && <SkeletonLines count={5} />}
      {data !== undefined && choices.length === 0 && <p className="px-5 pb-5 text-sm text-ink-soft">{t.noChoices}</p>}
      {choices.length > 0 && (
        <>
          <div
            aria-hidden
            className="grid grid-cols-[minmax(0,1fr)_3.5rem_3.5rem] gap-x-3 px-5 pb-2 text-xs font-medium text-ink-faint"
          >
            <span />
            <span className="text-center">{t.mail}</span>
            <span className="text-center">{t.bell}</span>
          </div>
          <ul aria-label={t.choices}>
            {choices.map(shown).map((choice) => (
              <ChoiceRow
                key={choice.kind}
                choice={choice}
                onChoose={({ kind, mail, bell }) => choose.mutate({ body: { kind, mail, bell } })}
              />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
