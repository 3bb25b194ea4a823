/** Text for people: aligned columns and fields. */

/** What came over the network must not steer the terminal. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}

export type Field = readonly [name: string, value: string | null | undefined];

/** `  name      value`, one line for each field that has a value. An older gateway leaves newer fields out. */
export function fieldLines(fields: readonly Field[], dim: (text: string) => string): string[] {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`  ${dim(name.padEnd(width))}  ${harmless(value)}`],
  );
}

/** Columns as wide as their widest cell. `paint` colours a cell after it was padded. */
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
