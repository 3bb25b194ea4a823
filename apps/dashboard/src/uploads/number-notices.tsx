import { useTexts } from '../i18n/texts.js';
import { Notice } from '../ui/notice.js';
import { digitsOf, isSpoiled } from './number-cells.js';
import { uploadTexts } from './texts.js';

/** Warns if the cells of the chosen column do not look like phone numbers. Null: no column is chosen. */
export function NumberNotices({ cells }: { cells: readonly string[] | null }) {
  const t = useTexts(uploadTexts);
  const filled = (cells ?? []).filter((cell) => cell.trim() !== '');
  const numbers = filled.filter((cell) => digitsOf(cell) !== null).length;
  if (filled.some(isSpoiled))
    return (
      <Notice tone="bad" live title={t.spoiledTitle}>
        {t.spoiled}
      </Notice>
    );
  return numbers * 2 < filled.length ? <Notice tone="warn">{t.fewPhones}</Notice> : null;
}
