/** Amounts of memory and time as a command line has them. */
import { InvalidArgumentError } from 'commander';

/** Factors of the units of memory; a plain number is bytes. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  KI: 2 ** 10,
  MI: 2 ** 20,
  GI: 2 ** 30,
  TI: 2 ** 40,
};

/** Seconds; a plain number is of them. */
const SPANS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
/** What a timer can wait for, 24 days. */
const LONGEST = 2 ** 31 / 1000 - 1;

/** Reads an amount of memory: `2G`, `1500M`. */
export function memorySize(word: string): number {
  const [, number, unit] = /^(\d+\.?\d*|\.\d+)\s*([KMGT]?I?)B?$/i.exec(word) ?? [];
  const factor = UNITS[unit?.toUpperCase() ?? '?'];
  if (factor !== undefined && Number(number) > 0) return Number(number) * factor;
  throw new InvalidArgumentError('It must be an amount of memory such as 2G or 1500M.');
}

/** Reads a time: `90`, `10m`, `2h`; in seconds. */
export function timeSpan(word: string): number {
  const [, number, unit] = /^(\d+\.?\d*|\.\d+)\s*([a-z]*)$/.exec(word) ?? [];
  const seconds = Number(number) * (SPANS[unit ?? '?'] ?? Number.NaN);
  if (seconds > 0 && seconds < LONGEST) return seconds;
  throw new InvalidArgumentError('It must be a time such as 90s, 10m or 2h.');
}
