import { CommandError } from './command-error.js';
import type { Admin } from './run-command.js';

/** Returns the address of the simulated network, or throws. `otherwise` tells what to do instead of setting it up. */
export function needSimulator({ simulatorUrl }: Admin, otherwise?: string): string {
  if (simulatorUrl !== null) return simulatorUrl;
  const remedy = ['Set KURIR_SIMULATOR_URL', ...(otherwise === undefined ? [] : [otherwise])].join(', ');
  throw new CommandError(`There is no simulated network. ${remedy}.`);
}
