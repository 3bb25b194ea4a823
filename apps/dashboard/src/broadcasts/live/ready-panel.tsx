import { useState } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Panel } from '../../ui/layout/panel.js';
import { CheckResult } from '../check/check-result.js';
import { Reading } from '../check/reading.js';
import { StartPanel } from '../check/start-panel.js';
import { TestPanel } from '../check/test-panel.js';
import { checkTexts } from '../check/texts.js';
import { useCheck } from '../check/use-check.js';
import { BroadcastFailure } from '../failure.js';
import type { Broadcast } from '../figures.js';

/** A draft whose list is fixed can start. A check fixes the list, so a person asks for it. */
export function ReadyPanel({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(checkTexts);
  const maySend = useMay('developer');
  const [isAsked, setAsked] = useState(false);
  const isFixed = broadcast.state !== 'draft';
  const { check, isBusy, isReading, share, failure } = useCheck(
    maySend && (isFixed || isAsked) ? broadcast.broadcast_id : null,
  );
  if (!maySend) return null;
  if (!isFixed && !isAsked)
    return (
      <Button look="primary" size="large" className="self-start" onClick={() => setAsked(true)}>
        {t.check}
      </Button>
    );
  return (
    <>
      <BroadcastFailure failure={failure} />
      {isReading && <Reading share={share} />}
      {isBusy && (
        <Panel>
          <SkeletonLines count={5} />
        </Panel>
      )}
      {check !== undefined && check.broadcast.state === 'ready' && (
        <>
          <StartPanel check={check} />
          <TestPanel broadcastId={broadcast.broadcast_id} />
          <CheckResult check={check} />
        </>
      )}
    </>
  );
}
