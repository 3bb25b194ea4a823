import { limits } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { devicesQuery } from '../../devices/device-queries.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';
import type { Broadcast } from '../figures.js';
import { problemSentence, problemTexts } from '../../uploads/problem-texts.js';
import { liveTexts, pauseTexts } from './texts.js';

/** Says why the broadcast is paused, and what a person can do. */
export function StateNotice({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(liveTexts);
  const pauses = useTexts(pauseTexts);
  const problems = useTexts(problemTexts);
  const { state, paused_by: reason, audience_problem: problem } = broadcast;
  if (problem !== null) {
    const title = problem.row === null ? t.unreadable : t.unreadableRow(problem.row);
    return (
      <Notice tone="bad" title={title}>
        {problemSentence(problem.code, problems)}
      </Notice>
    );
  }
  if (state !== 'paused' || reason === null) return null;
  const { title, next } = pauses[reason];
  const place =
    reason === 'no_device'
      ? ({ to: '/devices', label: t.toDevices } as const)
      : reason === 'quota'
        ? ({ to: '/billing', label: t.toBilling } as const)
        : null;
  const action = place !== null && (
    <Button asChild size="small">
      <Link to={place.to}>{place.label}</Link>
    </Button>
  );
  return (
    <Notice tone={reason === 'guard' ? 'bad' : 'warn'} title={title} action={action}>
      {reason === 'guard' && <Tripped broadcast={broadcast} />} {next}
    </Notice>
  );
}

function Tripped({ broadcast: { tripped } }: { broadcast: Broadcast }) {
  const t = useTexts(liveTexts);
  const { data: devices } = useQuery(devicesQuery());
  if (tripped === null) return null;
  const device = devices?.find(({ device_id: id }) => id === tripped.device_id)?.name ?? t.gone;
  return <>{t.tripped[tripped.what](device, String(tripped.count), String(limits.guardOutcomes))}</>;
}
