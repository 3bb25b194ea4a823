import { csvField } from '@kurir/contracts';

export const csvLine = (values: readonly (string | null)[], separator = ','): string =>
  `${values.map(csvField).join(separator)}\r\n`;
