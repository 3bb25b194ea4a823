import { useQuery } from '@tanstack/react-query';
import { devicesQuery } from '../../../devices/device-queries.js';
import { formatDay } from '../../../format/format.js';
import { useLanguage } from '../../../i18n/language.js';
import { useTexts } from '../../../i18n/texts.js';
import { useNow } from '../../../ui/moment.js';
import { readPace } from '../../fields/pace.js';
import { changedRules, ruleFieldsOf } from '../../fields/rules.js';
import type { Check } from '../../check/use-check.js';
import type { Draft } from '../draft/draft.js';
import { useList } from '../draft/use-list.js';
import { useMessage } from '../draft/use-message.js';
import type { Filled } from './make-draft.js';
import { checkStepTexts } from './texts.js';

/** The draft with the usual name and the connected devices, where nobody has chosen others. */
export function useFilled(draft: Draft): Filled & { readonly isPossible: boolean } {
  const t = useTexts(checkStepTexts);
  const language = useLanguage();
  const now = useNow();
  const { data: devices } = useQuery(devicesQuery());
  const message = useMessage(draft, useList(draft).columns);
  const connected = devices?.filter(({ state }) => state === 'connected').map(({ device_id: id }) => id) ?? [];
  const deviceIds = draft.deviceIds ?? connected;
  const name = draft.name ?? t.usualName(formatDay(new Date(now).toISOString(), language));
  const pace = readPace(draft.pace);
  const isLate = draft.sendAt !== '' && !(Date.parse(draft.sendAt) > now);
  const typed = ruleFieldsOf(draft.rules, draft.category);
  const isPossible = name.trim() !== '' && deviceIds.length > 0 && pace !== undefined && typed !== null && !isLate;
  return { name: name.trim(), deviceIds, pace: pace ?? null, rules: typed, message, isPossible };
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Whether the check is of what the page shows now. */
export function isCurrent({ created }: Draft, { name, deviceIds, pace, rules }: Filled, { broadcast }: Check): boolean {
  if (created === null || created.isStale || created.broadcastId !== broadcast.broadcast_id) return false;
  const isSameRules = rules !== null && Object.keys(changedRules(rules, broadcast)).length === 0;
  return (
    isSameRules &&
    broadcast.name === name &&
    broadcast.pace_per_minute === pace &&
    isSame(broadcast.device_ids, deviceIds)
  );
}
