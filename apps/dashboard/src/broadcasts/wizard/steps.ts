/** The steps of the wizard, in their order. */
export const steps = ['whom', 'message', 'check', 'send'] as const;
export type Step = (typeof steps)[number];

export const isStep = (text: string | undefined): text is Step => steps.some((step) => step === text);

/** The asked step, or the first one before it that is not done. */
export function openStep(asked: Step, done: Readonly<Record<Step, boolean>>): Step {
  const before = steps.slice(0, steps.indexOf(asked));
  return before.find((step) => !done[step]) ?? asked;
}
