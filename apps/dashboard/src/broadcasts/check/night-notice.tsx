import { useQuery } from '@tanstack/react-query';
import { formatMoment } from '../../format/format.js';
import { readQuery } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Notice } from '../../ui/notice.js';
import { nextOpening, zonesOf } from '../fields/next-opening.js';
import type { Broadcast } from '../figures.js';
import { checkTexts } from './texts.js';

type NightNoticeProps = {
  window: Broadcast['window'];
  beginsAt: number;
  /** It begins at a time that somebody chose. */
  later: boolean;
};

/** Says when the first messages go out, if it is night when the broadcast begins. */
export function NightNotice({ window, beginsAt, later }: NightNoticeProps) {
  const t = useTexts(checkTexts);
  const language = useLanguage();
  const { data } = useQuery({ ...readQuery('readAccountCountry', {}), staleTime: 5 * 60_000 });
  if (window === null || data === undefined) return null;
  const opensAt = nextOpening(window, zonesOf(data.country), beginsAt);
  if (opensAt === null || opensAt <= beginsAt) return null;
  const time = formatMoment(new Date(opensAt).toISOString(), language);
  return <Notice tone="warn">{later ? t.nightThen(time) : t.nightNow(time)}</Notice>;
}
