/** The output of a command is one row or a list of rows. The keys are those of the JSON output. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
export type Output = Row | readonly Row[];

function showValue(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '-';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

function showRow(row: Row): string {
  const names = Object.keys(row);
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${showValue(row[name])}`).join('\n');
}

function showTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => showValue(row[name])))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

// Array.isArray does not narrow readonly arrays.
const isList = (output: Output): output is readonly Row[] => Array.isArray(output);

/** Shows one row as lines of `name  value`, and a list as a table. */
export function showRows(output: Output): string {
  if (!isList(output)) return showRow(output);
  return output.length === 0 ? 'none' : showTable(output);
}
