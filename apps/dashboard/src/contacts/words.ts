/** The names of languages and time zones, in the language of the page. */
import type { Language } from '../i18n/language.js';

export const usualLocales = ['id', 'en', 'jv', 'su', 'ms', 'zh', 'ar', 'ja', 'ko'] as const;

/** The zones of Indonesia, with the names that people there use. */
export const indonesianZones = {
  'Asia/Jakarta': 'WIB (Jakarta)',
  'Asia/Pontianak': 'WIB (Pontianak)',
  'Asia/Makassar': 'WITA (Makassar)',
  'Asia/Jayapura': 'WIT (Jayapura)',
} as const satisfies Record<string, string>;

const names: Readonly<Record<string, string>> = indonesianZones;

export const zoneName = (zone: string): string => names[zone] ?? zone.replaceAll('_', ' ');

export function localeName(locale: string, language: Language): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale; // a browser may know fewer tags than the gateway
  }
}

/** All other zones that the browser knows. */
export const otherZones = (): string[] => Intl.supportedValuesOf('timeZone').filter((zone) => !(zone in names));
