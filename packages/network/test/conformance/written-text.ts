import { textOf } from '@kurir/contracts';
import type { InboundReport } from '../../src/inbound.js';

/** The text that a report brought. Null: it brought none. */
export const writtenText = (report: InboundReport | undefined): string | null =>
  report !== undefined && 'content' in report ? textOf(report.content) : null;
