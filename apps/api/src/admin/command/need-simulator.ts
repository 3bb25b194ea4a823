import { CommandError } from './command-error.js';
import type { Admin } from './run-command.js';

/** The address of the simulated network. Throws where there is none; `otherwise` is what to do instead of setting it up. */
export function needSimulator({ simulatorUrl }: Admin, otherwise?: string): string {
  if (simulatorUrl !== null) return simulatorUrl;
  const remedy = ['Set KURIR_SIMULATOR_URL', ...(otherwise === undefined ? [] : [otherwise])].join(', ');
  throw new CommandError(`There is no simulated network. ${remedy}.`);
}
