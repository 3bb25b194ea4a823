import type { OutcomeWriter } from '@kurir/database';

/** Rings the dashboard's bell after every commit of what became of a message, so that live pages need not wait a second. */
export const ringingOutcomes = (outcomes: OutcomeWriter, ring: () => void): OutcomeWriter => {
  const told = (moved: boolean): boolean => {
    if (moved) ring();
    return moved;
  };
  return {
    answered: async (id, epoch, outcome) => told(await outcomes.answered(id, epoch, outcome)),
    handBack: (epoch, messages) => outcomes.handBack(epoch, messages),
    reported: async (report) => told(await outcomes.reported(report)),
    idle: () => outcomes.idle(),
  };
};
