import type { ReactNode } from 'react';
import { formatMoment } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Notice } from '../../ui/notice.js';
import { nextOpening } from '../fields/next-opening.js';
import type { Broadcast } from '../figures.js';
import { HomeZone } from './home-zone.js';
import { checkTexts } from './texts.js';
import { type Home, useHome } from './use-home.js';

type Beginning = {
  window: Broadcast['window'];
  beginsAt: number;
};

/** A country with several zones waits until the hours are open in all of them. */
const zonesIn = ({ time_zone, time_zones }: Home): readonly string[] => (time_zone === null ? time_zones : [time_zone]);

/** When the first messages go out, if the hours are closed when the broadcast begins. Null: they are open, or unknown. */
export function useOpening({ window, beginsAt }: Beginning): number | null {
  const { data } = useHome();
  if (window === null || data === undefined) return null;
  const opensAt = nextOpening(window, zonesIn(data), beginsAt);
  return opensAt === null || opensAt <= beginsAt ? null : opensAt;
}

type NightNoticeProps = Beginning & {
  /** It begins at a time that somebody chose. */
  later: boolean;
};

/** Says when the first messages go out, if it is night when the broadcast begins, and why if it is day for the reader. */
export function NightNotice({ later, ...beginning }: NightNoticeProps): ReactNode {
  const t = useTexts(checkTexts);
  const language = useLanguage();
  const { data } = useHome();
  const opensAt = useOpening(beginning);
  const { window, beginsAt } = beginning;
  if (opensAt === null || window === null || data === undefined) return null;
  const time = formatMoment(new Date(opensAt).toISOString(), language);
  const isOpenIn = (zone: string) => nextOpening(window, [zone], beginsAt) === beginsAt;
  const openZones = data.time_zone === null ? data.time_zones.filter(isOpenIn) : [];
  return (
    <Notice tone="warn">
      <div className="flex flex-col gap-3">
        <p>{later ? t.nightThen(time) : t.nightNow(time)}</p>
        {openZones.length > 0 && <HomeZone country={data.country} zones={openZones} />}
      </div>
    </Notice>
  );
}
