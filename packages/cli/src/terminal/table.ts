/** Rows of a label and a value, the values in one column. */
export function alignRows(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

/** Rows of any number of columns, each as wide as its widest value. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  return rows.map((row) =>
    row
      .map((value, k) => value.padEnd(widths[k]))
      .join('  ')
      .trimEnd(),
  );
}
