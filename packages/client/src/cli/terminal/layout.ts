/** Formats text for people in columns and fields. */

/** Removes control characters: text from the network must not control the terminal. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}

export type Field = readonly [name: string, value: string | null | undefined];

/**
 * Returns a line like `  name      value` for each field that has a value. An older gateway does not send newer fields.
 */
export function fieldLines(fields: readonly Field[], dim: (text: string) => string): string[] {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`  ${dim(name.padEnd(width))}  ${harmless(value)}`],
  );
}

/** Each column is as wide as its widest cell. `paint` colours a cell after it is padded. */
export function tableLines(
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string,
): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((cells, row) =>
    cells
      .map((cell, column) => paint(harmless(cell).padEnd(widths[column] ?? 0), column, row))
      .join('  ')
      .trimEnd(),
  );
}
