/** A measure without another side to compare with: figures of the product, each with what it should be. */
import type { Setting } from './measure.js';
import type { Options } from './options.js';

export type Figure = {
  readonly name: string;
  /** Null where the operating system does not tell. */
  readonly value: number | null;
  readonly unit: string;
  /** Decimals that mean something. */
  readonly digits: number;
  readonly atMost?: number;
  readonly atLeast?: number;
};

export type Study = {
  readonly name: string;
  readonly run: (setting: Setting, options: Options) => Promise<readonly Figure[]>;
};

export type Findings = { readonly study: string; readonly figures: readonly Figure[] };
