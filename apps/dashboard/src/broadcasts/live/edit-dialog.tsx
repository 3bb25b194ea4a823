import { limits } from '@kurir/contracts/dashboard';
import { type SyntheticEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { DeviceChoice } from '../fields/device-choice.js';
import { BroadcastFailure } from '../failure.js';
import type { Broadcast } from '../figures.js';
import { readPace } from '../fields/pace.js';
import { PaceField } from '../fields/pace-field.js';
import { ConfirmAnyHour } from '../fields/confirm-any-hour.js';
import {
  changedRules,
  isSameWindow,
  mayBeAtNight,
  type RuleFields,
  ruleFieldsOf,
  rulesOfBroadcast,
} from '../fields/rules.js';
import { RulesFields } from '../fields/rules-fields.js';
import { isBeforeStart } from '../state.js';
import { liveTexts } from './texts.js';

/** Before the start, the start asks for it. */
const isNewNight = ({ category, state, window }: Broadcast, next: RuleFields): boolean =>
  !isBeforeStart(state) && !isSameWindow(window, next.window) && mayBeAtNight(category, next.window);

export function EditDialog({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const t = useTexts(liveTexts);
  const [name, setName] = useState(broadcast.name);
  const [devices, setDevices] = useState<readonly string[]>(broadcast.device_ids);
  const [pace, setPace] = useState(broadcast.pace_per_minute?.toString() ?? '');
  const [rules, setRules] = useState(() => rulesOfBroadcast(broadcast));
  const [mayBeNight, setMayBeNight] = useState(false);
  const save = useCall('updateBroadcast', ['getBroadcast', 'listBroadcasts']);
  const pacePerMinute = readPace(pace);
  const fields = ruleFieldsOf(rules, broadcast.category);
  const mustConfirm = fields !== null && isNewNight(broadcast, fields);
  const isWrong = name.trim() === '' || devices.length === 0 || pacePerMinute === undefined || fields === null;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isWrong || (mustConfirm && !mayBeNight)) return;
    const changes = changedRules(fields, broadcast);
    const confirmed = mustConfirm ? { confirm_any_hour: true } : {};
    const body = {
      name: name.trim(),
      device_ids: [...devices],
      pace_per_minute: pacePerMinute,
      ...changes,
      ...confirmed,
    };
    const said = () => {
      onClose();
      toast(t.saved);
    };
    save.mutate({ params: { broadcast_id: broadcast.broadcast_id }, body }, { onSuccess: said });
  };
  return (
    <Dialog open onClose={onClose} title={t.editTitle}>
      <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
        <Field label={t.name}>
          {(links) => (
            <Input
              {...links}
              maxLength={limits.broadcastNameMaxLength}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <PaceField pace={pace} onChange={setPace} />
        <DeviceChoice chosen={devices} onChange={setDevices} />
        <RulesFields rules={rules} category={broadcast.category} onChange={setRules} />
        {mustConfirm && <ConfirmAnyHour checked={mayBeNight} onChange={setMayBeNight} />}
        <BroadcastFailure failure={save.error} />
        <Button
          type="submit"
          look="primary"
          size="large"
          busy={save.isPending}
          disabled={isWrong || (mustConfirm && !mayBeNight)}
        >
          {t.save}
        </Button>
      </form>
    </Dialog>
  );
}
