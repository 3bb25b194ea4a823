/** The form of a setting in the table. */
import type { z } from 'zod';

export type Program = 'api' | 'worker' | 'admin' | 'migrate';

export type Setting = {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly programs: readonly Program[];
  /** Never printed. NAME_FILE may give the path of a file with the value instead. */
  readonly secret?: true;
  /** For the documentation and `.env.example`. */
  readonly example?: string;
};
