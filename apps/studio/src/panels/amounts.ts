/** Numbers as people read them, units always. */

export function kilobytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const kb = bytes / 1000;
  return kb < 1000 ? `${kb < 10 ? kb.toFixed(1) : Math.round(kb)} KB` : `${(kb / 1000).toFixed(1)} MB`;
}

export function seconds(value: number): string {
  if (value < 10) return `${value.toFixed(1)} s`;
  if (value < 60) return `${Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function error(eRms: number): string {
  return eRms < 10 ? eRms.toFixed(2) : eRms.toFixed(1);
}

/** A part as a percentage with two leading digits. */
export function percent(part: number): string {
  const value = 100 * part;
  if (value === 0) return '0 %';
  return `${value >= 1 ? value.toFixed(1) : value.toPrecision(value < 0.001 ? 1 : 2)} %`;
}

/** 6042 as 6 042. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '\u202f');
}
