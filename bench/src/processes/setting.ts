/** The circumstances of one measurement. */
import type { Cleanup } from './cleanup.js';

export type Setting = {
  /** How long each side is under load in one run. */
  readonly seconds: number;
  /** The folder for the CPU profiles of the measured processes; null for none. */
  readonly profileFolder: string | null;
  readonly tell: (text: string) => void;
  readonly cleanup: Cleanup;
};
