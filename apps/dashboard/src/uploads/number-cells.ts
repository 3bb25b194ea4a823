/** Reads cells as phone numbers. The gateway checks them again. */
const numberLike = /^'?\+?\(?\d[\d\s().-]{5,}$/;
/** `6.28123E+12`: the last digits are lost. */
const spoiledLike = /^\d+(?:[.,]\d+)?E\+\d+$/i;

export const isSpoiled = (cell: string): boolean => spoiledLike.test(cell.trim());

/** Digits with country code. Without a code, the number is read as one of Indonesia. */
export function digitsOf(cell: string): string | null {
  const trimmed = cell.trim();
  if (!numberLike.test(trimmed)) return null;
  const digits = trimmed.replace(/\(0\)/, '').replace(/\D/g, '');
  if (/^'?\(?\+/.test(trimmed)) return digits;
  if (digits.startsWith('0')) return `62${digits.replace(/^0+/, '')}`;
  return digits.startsWith('8') && digits.length <= 12 ? `62${digits}` : digits;
}
