import { type InboundReport, textOf } from '@kurir/contracts';

/** The text that a report brought. Null: it brought none. */
export const writtenText = (report: InboundReport | undefined): string | null =>
  report !== undefined && 'content' in report ? textOf(report.content) : null;
