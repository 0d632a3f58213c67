/**
 * The order in which people number files: frame-2 before frame-10. And what their numbers say: which frame is missing.
 */
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/**
 * Compares file names in natural order: digits by their value, so that frame-2 comes before frame-10. A total order.
 * @example
 * {@includeCode ../examples/sequences.ts}
 */
export function naturalCompare(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const ca = a.charCodeAt(i);
    const cb = b.charCodeAt(j);
    if (isDigit(ca) && isDigit(cb)) {
      const endA = digitsEnd(a, i);
      const endB = digitsEnd(b, j);
      const runA = withoutZeros(a.slice(i, endA));
      const runB = withoutZeros(b.slice(j, endB));
      // As strings, so that no number is too long: without zeros in front the longer one is the larger.
      if (runA.length !== runB.length) return runA.length - runB.length;
      if (runA !== runB) return runA < runB ? -1 : 1;
      i = endA;
      j = endB;
    } else if (ca !== cb) return ca - cb;
    else {
      i++;
      j++;
    }
  }
  const left = a.length - i - (b.length - j);
  if (left !== 0) return left;
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface FrameNumbers {
  /** The number of each name, in the order given, strictly increasing. */
  readonly numbers: readonly number[];
  /** What is usual from one to the next: 1, or 2 where every second frame was exported. */
  readonly step: number;
}

/**
 * The numbers of names in natural order that differ in one number alone: the last one before the extension. `undefined`
 * where they don't: then nothing is known of their spacing.
 */
export function frameNumbers(names: readonly string[]): FrameNumbers | undefined {
  const parsed = names.map(splitAtLastNumber);
  const numbers: number[] = [];
  for (const name of parsed) {
    if (!name || name.before !== parsed[0]?.before || name.after !== parsed[0]?.after) return undefined;
    if (!Number.isSafeInteger(name.number) || name.number <= (numbers.at(-1) ?? -1)) return undefined;
    numbers.push(name.number);
  }
  if (numbers.length === 0) return undefined;
  // Two frames alone say nothing of a rhythm.
  if (numbers.length < 3) return { numbers, step: 1 };
  let step = Number.POSITIVE_INFINITY;
  for (let t = 1; t < numbers.length; t++) step = Math.min(step, numbers[t] - numbers[t - 1]);
  return { numbers, step };
}

function splitAtLastNumber(name: string): { before: string; number: number; after: string } | undefined {
  const dot = name.lastIndexOf('.');
  let end = dot > 0 ? dot : name.length;
  while (end > 0 && !isDigit(name.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && isDigit(name.charCodeAt(start - 1))) start--;
  if (start === end) return undefined;
  return { before: name.slice(0, start), number: Number(name.slice(start, end)), after: name.slice(end) };
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

function withoutZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charCodeAt(start) === DIGIT_0) start++;
  return digits.slice(start);
}
