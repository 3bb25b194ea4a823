/** The meaning of a colour, with its classes for text, background and dot. */
export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

export const toneText: Record<Tone, string> = {
  neutral: 'text-ink-soft',
  accent: 'text-accent',
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
};

export const toneFill: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
};

export const toneDot: Record<Tone, string> = {
  neutral: 'bg-ink-faint',
  accent: 'bg-accent',
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
};
