/** The words and colours for the states of a message. */
import { type DashboardData, statusWords } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';
import type { Tone } from '../ui/tone.js';

export type Message = DashboardData<'listMessages'>['messages'][number];
export type MessageDetail = DashboardData<'getMessage'>;
export type ShownStatus = Message['status'];

export const statusTones: Record<ShownStatus, Tone> = {
  scheduled: 'neutral',
  queued: 'neutral',
  sending: 'accent',
  sent: 'accent',
  delivered: 'ok',
  read: 'ok',
  failed: 'bad',
  expired: 'warn',
  cancelled: 'neutral',
  unknown: 'warn',
};

/** The gateway still works on the message, so the dot pulses. */
export const isMoving = (status: ShownStatus): boolean => status === 'queued' || status === 'sending';

export const statusTexts = defineTexts(statusWords.en, statusWords.id);
