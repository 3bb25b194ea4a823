/** A measure without another side to compare with: figures of the product, each with what it should be. */
import type { Setting } from '../processes/setting.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';

export type Study = {
  readonly name: string;
  readonly run: (setting: Setting, options: Options) => Promise<readonly Figure[]>;
};
