/** The words and colours for the states of a broadcast. */
import type { BroadcastState } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';
import type { Tone } from '../ui/tone.js';

export const stateTones: Record<BroadcastState, Tone> = {
  draft: 'neutral',
  checking: 'accent',
  ready: 'accent',
  scheduled: 'neutral',
  running: 'accent',
  paused: 'warn',
  finished: 'ok',
  cancelled: 'neutral',
};

export const stateTexts = defineTexts<Record<BroadcastState, string>>(
  {
    draft: 'Draft',
    checking: 'Being checked',
    ready: 'Ready to send',
    scheduled: 'Scheduled',
    running: 'Going out',
    paused: 'Paused',
    finished: 'Finished',
    cancelled: 'Cancelled',
  },
  {
    draft: 'Draf',
    checking: 'Sedang diperiksa',
    ready: 'Siap dikirim',
    scheduled: 'Terjadwal',
    running: 'Sedang dikirim',
    paused: 'Dijeda',
    finished: 'Selesai',
    cancelled: 'Dibatalkan',
  },
);

/** Kurir works on it, so the dot pulses. */
export const isMoving = (state: BroadcastState): boolean => state === 'running' || state === 'checking';

/** Nothing was sent yet, and somebody has to start it. */
export const isBeforeStart = (state: BroadcastState): boolean =>
  state === 'draft' || state === 'checking' || state === 'ready';

export const isOver = (state: BroadcastState): boolean => state === 'finished' || state === 'cancelled';
