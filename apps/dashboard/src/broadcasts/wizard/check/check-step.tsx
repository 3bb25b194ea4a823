import { limits } from '@kurir/contracts/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, SearchCheck } from 'lucide-react';
import { useRef } from 'react';
import { Field } from '../../../form/field.js';
import { Input } from '../../../form/input.js';
import { queryKey } from '../../../http/query.js';
import { useLanguage } from '../../../i18n/language.js';
import { useTexts } from '../../../i18n/texts.js';
import { Button } from '../../../ui/button.js';
import { Panel } from '../../../ui/layout/panel.js';
import { useNow } from '../../../ui/moment.js';
import { Notice } from '../../../ui/notice.js';
import { CheckResult } from '../../check/check-result.js';
import { NightNotice } from '../../check/night-notice.js';
import { Reading } from '../../check/reading.js';
import { useCheck } from '../../check/use-check.js';
import { BroadcastFailure } from '../../failure.js';
import { DeviceChoice } from '../../fields/device-choice.js';
import { hoursOf } from '../../fields/hours-of.js';
import { PaceField } from '../../fields/pace-field.js';
import { RulesFields } from '../../fields/rules-fields.js';
import { rulesTexts } from '../../fields/rules-texts.js';
import type { Broadcast } from '../../figures.js';
import type { Drafting } from '../draft/use-draft.js';
import { makeDraft } from './make-draft.js';
import { ListFailure } from '../whom/list-failure.js';
import { checkStepTexts } from './texts.js';
import { isCurrent, useFilled } from './use-filled.js';
import { WhenField } from './when-field.js';

/** Makes the draft of the gateway, and reads its check again. */
function useMakeDraft({ draft, change }: Drafting, filled: ReturnType<typeof useFilled>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => makeDraft(draft, filled),
    onSuccess: async (made) => {
      // The devices that were shown are now those of the draft, even if another one connects.
      change({ ...made, deviceIds: filled.deviceIds });
      await client.invalidateQueries({ queryKey: queryKey('getBroadcast') });
      await client.invalidateQueries({ queryKey: queryKey('checkBroadcast') });
      void client.invalidateQueries({ queryKey: queryKey('listBroadcasts') });
    },
  });
}

export function CheckStep({ drafting }: { drafting: Drafting }) {
  const t = useTexts(checkStepTexts);
  const { draft, change } = drafting;
  const filled = useFilled(draft);
  const make = useMakeDraft(drafting, filled);
  const result = useRef<HTMLDivElement>(null);
  return (
    <div className="flex flex-col gap-6">
      <Panel className="flex flex-col gap-5 p-5">
        <Field label={t.name} hint={t.nameHint}>
          {(links) => (
            <Input
              {...links}
              maxLength={limits.broadcastNameMaxLength}
              value={draft.name ?? filled.name}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <DeviceChoice chosen={filled.deviceIds} onChange={(deviceIds) => change({ deviceIds })} />
        <WhenField sendAt={draft.sendAt} onChange={(sendAt) => change({ sendAt })} />
        {filled.rules !== null && <Hours window={filled.rules.window} sendAt={draft.sendAt} />}
        <More drafting={drafting} />
        <ListFailure failure={make.error} />
        <Button
          look={draft.created === null ? 'primary' : 'secondary'}
          size="large"
          className="w-full sm:w-auto sm:self-start"
          busy={make.isPending}
          disabled={!filled.isPossible}
          onClick={() => make.mutate(undefined, { onSuccess: () => result.current?.scrollIntoView() })}
        >
          <SearchCheck aria-hidden className="size-4" />
          {draft.created === null ? t.check : t.checkAgain}
        </Button>
      </Panel>
      <div ref={result} className="scroll-mt-20">
        {draft.created !== null && <Result drafting={drafting} />}
      </div>
    </div>
  );
}

/** The hours, and when the first message goes out if it is outside of them. */
function Hours({ window, sendAt }: { window: Broadcast['window']; sendAt: string }) {
  const rules = useTexts(rulesTexts);
  const language = useLanguage();
  const now = useNow();
  const isLater = Date.parse(sendAt) > now;
  return (
    <>
      <p className="text-sm text-ink-soft">{hoursOf(window, rules, language)}</p>
      <NightNotice window={window} beginsAt={isLater ? Date.parse(sendAt) : now} later={isLater} />
    </>
  );
}

/** Fields that most people leave as they are. */
function More({ drafting: { draft, change } }: { drafting: Drafting }) {
  const t = useTexts(checkStepTexts);
  return (
    <details className="group">
      <summary className="flex min-h-10 cursor-pointer items-center gap-1.5 text-sm font-medium">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {t.more}
      </summary>
      <div className="flex flex-col gap-5 pt-2">
        <RulesFields rules={draft.rules} category={draft.category} onChange={(rules) => change({ rules })} />
        <PaceField pace={draft.pace} onChange={(pace) => change({ pace })} />
      </div>
    </details>
  );
}

function Result({ drafting: { draft } }: { drafting: Drafting }) {
  const t = useTexts(checkStepTexts);
  const filled = useFilled(draft);
  const { check, isReading, isBusy, failure, problem, share } = useCheck(draft.created?.broadcastId ?? null);
  if (failure !== null) return <BroadcastFailure failure={failure} />;
  if (problem !== null) return <ListFailure failure={null} code={problem} />;
  if (isReading) return <Reading share={share} />;
  if (check === undefined || isBusy)
    return (
      <p role="status" aria-busy className="text-sm text-ink-soft">
        {t.checking}
      </p>
    );
  return isCurrent(draft, filled, check) ? <CheckResult check={check} /> : <Notice tone="warn">{t.changed}</Notice>;
}
