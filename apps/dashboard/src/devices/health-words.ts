/** The health of a device's number: its words, and the reasons with what to do. */
import type { DashboardData } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';
import type { Tone } from '../ui/tone.js';

export type HealthAnswer = DashboardData<'deviceHealth'>;
export type HealthDay = HealthAnswer['days'][number];
export type NumberWord = HealthAnswer['health'];

export const wordTones: Record<NumberWord, Tone> = { good: 'ok', watch: 'warn', at_risk: 'bad', restricted: 'bad' };

export const wordTexts = defineTexts(
  { good: 'Good', watch: 'Watch it', at_risk: 'At risk', restricted: 'Restricted' },
  { good: 'Baik', watch: 'Perlu diperhatikan', at_risk: 'Berisiko', restricted: 'Dibatasi' },
);
