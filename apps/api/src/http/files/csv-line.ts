import { csvField } from '@kurir/contracts';

export const csvLine = (values: readonly (string | null)[]): string => `${values.map(csvField).join(',')}\r\n`;
