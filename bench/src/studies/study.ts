/** A study has no other side to compare with. It returns figures of the gateway, each with its target. */
import type { Setting } from '../processes/setting.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';

export type Study = {
  readonly name: string;
  readonly run: (setting: Setting, options: Options) => Promise<readonly Figure[]>;
};
