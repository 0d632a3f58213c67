/** A node's transform in few digits: seven that count move nothing, and text is a large part of a packed file. */
import { isObject, type JsonObject } from '../json-shape.ts';

const DIGITS = 7;
const NONE: Readonly<Record<string, readonly number[]>> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

export function shortNode(node: JsonObject): JsonObject {
  const out = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    const none = NONE[key];
    if (!none || !Array.isArray(value)) return key === 'extras' && isEmpty(value) ? [] : [[key, value]];
    const short = rounded(value as number[]);
    return short.every((number, k) => number === none[k]) ? [] : [[key, short]];
  });
  return Object.fromEntries(out);
}

/** To digits below the largest of the numbers. */
function rounded(values: readonly number[]): number[] {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  if (most === 0) return [...values];
  let top = 0;
  while (10 ** top < most) top++;
  while (10 ** (top - 1) >= most) top--;
  const unit = 10 ** (DIGITS - top);
  return values.map((value) => {
    const steps = Math.round(value * unit);
    return steps === 0 ? 0 : Number((steps / unit).toPrecision(DIGITS));
  });
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
