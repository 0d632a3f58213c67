/** Transforms of prims: their ops in order, at any time code. */
import { cos, sin } from '@pelt/math';
import { composeTrs, identityTransform, invert, isSingular, multiply, type Transform } from '../../gltf/transform.ts';
import { unionOfTimes } from '../../scene/linear-keys.ts';
import type { StagePrim } from './compose.ts';
import { isNumbers, type UsdNumbers, type UsdProperty, type UsdValue, wordsOf } from './usd-layer.ts';

const RESET = '!resetXformStack!';
const INVERT = '!invert!';

interface Op {
  readonly kind: string;
  readonly inverted: boolean;
  readonly property: UsdProperty;
}

export class UsdXform {
  readonly resets: boolean;
  /** Time codes at which any op has a sample; empty for one that stands. */
  readonly times: Float64Array;
  /** Whether it turns by angles, which leave the arc between two samples. */
  readonly bends: boolean;
  readonly #ops: readonly Op[];

  constructor({ properties }: StagePrim) {
    const order = wordsOf(properties.get('xformOpOrder')?.value());
    this.resets = order.includes(RESET);
    this.#ops = order.slice(order.lastIndexOf(RESET) + 1).flatMap((word) => {
      const inverted = word.startsWith(INVERT);
      const name = inverted ? word.slice(INVERT.length) : word;
      const property = properties.get(name);
      return property ? [{ kind: name.split(':')[1] ?? '', inverted, property }] : [];
    });
    this.bends = this.#ops.some(({ kind }) => kind.startsWith('rotate'));
    const moving = this.#ops.flatMap(({ property: { samples } }) =>
      samples && samples.times.length > 1 ? [samples.times] : [],
    );
    this.times = unionOfTimes(moving);
  }

  /** @param code  time code */
  at(code: number): Transform {
    let result = identityTransform();
    for (const { kind, inverted, property } of this.#ops) {
      const own = opTransform(kind, valueAt(property, code));
      const used = inverted && !isSingular(own) ? invert(own, new Float64Array(12)) : own;
      result = multiply(result, used, new Float64Array(12));
    }
    return result;
  }
}

/** A value at a time code: lines between samples, the nearest beyond them, the default where there are none. */
export function valueAt({ samples, value }: UsdProperty, code: number): UsdValue {
  if (!samples || samples.times.length === 0) return value();
  const { times } = samples;
  const next = upperBound(times, code);
  if (next === 0) return samples.at(0);
  const a = samples.at(next - 1);
  if (next === times.length || times[next - 1] === code) return a;
  const b = samples.at(next);
  const u = (code - times[next - 1]) / (times[next] - times[next - 1]);
  if (typeof a === 'number' && typeof b === 'number') return a + u * (b - a);
  if (!isNumbers(a) || !isNumbers(b) || a.length !== b.length || a instanceof Int32Array) return a;
  return blended(a, b, u);
}

function blended(a: UsdNumbers, b: UsdNumbers, u: number): UsdNumbers {
  const out = a.slice();
  for (let k = 0; k < out.length; k++) out[k] = a[k] + u * (b[k] - a[k]);
  return out;
}

/** How many of the times are not after a code. */
export function upperBound(times: Float64Array, code: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}

function opTransform(kind: string, value: UsdValue): Transform {
  const out = identityTransform();
  const numbers = isNumbers(value) ? value : typeof value === 'number' ? Float64Array.of(value) : new Float64Array(0);
  if (!numbers.every(Number.isFinite)) return out;
  if (kind === 'transform') return numbers.length === 16 ? fromRows(numbers) : out;
  if (kind === 'translate' && numbers.length === 3) {
    for (let r = 0; r < 3; r++) out[4 * r + 3] = numbers[r];
  } else if (kind === 'scale' && numbers.length === 3) {
    for (let r = 0; r < 3; r++) out[5 * r] = numbers[r];
  } else if (kind === 'orient' && numbers.length === 4) return fromQuaternion(numbers);
  else if (/^rotate[XYZ]$/.test(kind) && numbers.length === 1) return turn(kind.charCodeAt(6) - 88, numbers[0]);
  else if (/^rotate[XYZ]{3}$/.test(kind) && numbers.length === 3) {
    // The first axis turns first.
    return [...kind.slice(6)].reduce((before, axis) => {
      const k = axis.charCodeAt(0) - 88;
      return multiply(turn(k, numbers[k]), before, new Float64Array(12));
    }, out);
  }
  return out;
}

/** About an axis, in degrees. */
function turn(axis: number, degrees: number): Transform {
  const out = identityTransform();
  const angle = (degrees * Math.PI) / 180;
  const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
  const [cosine, sine] = [cos(angle), sin(angle)];
  out[4 * b + b] = cosine;
  out[4 * b + c] = -sine;
  out[4 * c + b] = sine;
  out[4 * c + c] = cosine;
  return out;
}

/** @param q  real part first */
function fromQuaternion(q: ArrayLike<number>): Transform {
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  const rotation = length > 0 ? Float64Array.of(q[1], q[2], q[3], q[0]).map((value) => value / length) : undefined;
  return composeTrs(
    {
      translation: new Float64Array(3),
      rotation: rotation ?? Float64Array.of(0, 0, 0, 1),
      scale: Float64Array.of(1, 1, 1),
    },
    new Float64Array(12),
  );
}

/** A matrix of USD, whose rows are the images of the axes, as columns. @param first  of its 16 numbers */
export function fromRows(m: ArrayLike<number>, first = 0): Transform {
  const out = new Float64Array(12);
  for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) out[4 * r + c] = m[first + 4 * c + r];
  return out;
}
