import type { Language } from '../../i18n/language.js';
import type { Broadcast } from '../figures.js';
import type { rulesTexts } from './rules-texts.js';

type Words = Pick<(typeof rulesTexts)['en'], 'sentence' | 'sentenceOfAccount' | 'anyHour'>;

/** A time of the day as people of the language write it. */
export const shownClock = (clock: string, language: Language): string =>
  language === 'id' ? clock.replace(':', '.') : clock;

/** The sentence for the hours in which messages go out. */
export function hoursOf(window: Broadcast['window'], t: Words, language: Language): string {
  if (window === null) return t.anyHour;
  const [from, to] = [shownClock(window.from, language), shownClock(window.to, language)];
  return window.zone === 'recipient' ? t.sentence(from, to) : t.sentenceOfAccount(from, to);
}
