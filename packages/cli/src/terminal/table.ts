/** Rows of a label and a value, the values in one column. */
export function alignRows(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}
