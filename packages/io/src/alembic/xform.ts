/**
 * The transform of an Xform object: a stack of operations, `.ops`, with their values, `.vals`, which may be animated.
 * An operation is one byte: its kind in the upper four bits, a hint for editors in the lower four. The first operation
 * is applied last: M = M₁ M₂ … Mₙ for column vectors. Angles are in degrees. Matrices are stored row by row for row
 * vectors, i.e. column by column for column vectors.
 *
 * Between two samples translation and stretch are interpolated linearly and rotations spherically.
 *
 * Reference: Shoemake, Duff. Matrix animation and polar decomposition. 1992.
 */
import { cos, polarDecomposition, quaternionFromRotation, rotationFromQuaternion, sin, slerp } from '@pelt/math';
import { InputError, UnsupportedError } from '@pelt/model';
import { fromColumns, identityTransform, multiply, type Transform } from '../gltf/transform.ts';
import type { AbcObject } from './object-tree.ts';
import type { SampledProperty } from './property.ts';
import { placeOfTime } from './time-sampling.ts';

/** Values per operation: scale, translate, rotate (axis and angle), matrix, rotate about x, y, z. */
const CHANNELS = [3, 3, 4, 16, 1, 1, 1];
const [SCALE, TRANSLATE, ROTATE, MATRIX, ROTATE_X] = [0, 1, 2, 3, 4];

export class Xform {
  readonly #label: string;
  readonly #kinds: readonly number[];
  readonly #values: SampledProperty | undefined;
  readonly #inherits: SampledProperty | undefined;
  /** Cache of the last evaluated sample. */
  readonly #last = identityTransform();
  #lastStored = -1;

  /** @param label  the file, for messages */
  constructor(object: AbcObject, label: string) {
    this.#label = `${label}: transform '${object.path}'`;
    const schema = object.schema;
    this.#inherits = schema?.sampled('.inherits');
    const ops = schema?.sampled('.ops')?.int32(0) ?? new Int32Array(0);
    this.#kinds = Array.from(ops, (op) => (op & 0xff) >> 4);
    const unknown = this.#kinds.find((kind) => kind >= CHANNELS.length);
    if (unknown !== undefined) throw new UnsupportedError(`${this.#label} has an operation of unknown kind ${unknown}`);
    this.#values = this.#kinds.length > 0 ? schema?.sampled('.vals') : undefined;
  }

  /** The animated properties. */
  get changing(): SampledProperty[] {
    return [this.#values, this.#inherits].filter((property) => property?.changes) as SampledProperty[];
  }

  /** Whether the parent transforms apply. */
  inherits(time: number): boolean {
    const property = this.#inherits;
    if (!property) return true;
    return property.int32(placeOfTime(property.header.sampling, property.samples, time).before)[0] !== 0;
  }

  /** @param out  transform to the parent's space; overwritten */
  at(time: number, out: Transform): void {
    const values = this.#values;
    if (!values) {
      out.set(IDENTITY);
      return;
    }
    const { before, after, share } = placeOfTime(values.header.sampling, values.samples, time);
    this.#sample(values, before, out);
    if (share === 0 || values.storedAs(before) === values.storedAs(after)) return;
    const end = identityTransform();
    this.#sample(values, after, end);
    interpolateTransforms(out, end, share, out);
  }

  #sample(values: SampledProperty, sample: number, out: Transform): void {
    const stored = values.storedAs(sample);
    if (stored !== this.#lastStored) {
      composeOps(this.#kinds, this.#checked(values.float64(sample), sample), this.#last);
      this.#lastStored = stored;
    }
    out.set(this.#last);
  }

  #checked(values: Float64Array, sample: number): Float64Array {
    const expected = this.#kinds.reduce((sum, kind) => sum + CHANNELS[kind], 0);
    if (values.length !== expected) {
      throw new InputError(
        `${this.#label} has ${values.length} numbers in sample ${sample}, but its operations take ${expected}; ` +
          'the file is damaged, export it again',
      );
    }
    const bad = values.find((value) => !Number.isFinite(value));
    if (bad === undefined) return values;
    throw new InputError(`${this.#label} has the number ${bad} in sample ${sample}; export it again`);
  }
}

const IDENTITY = identityTransform();

/** @param values  the values of all operations, concatenated */
function composeOps(kinds: readonly number[], values: Float64Array, out: Transform): void {
  out.set(IDENTITY);
  let first = 0;
  for (const kind of kinds) {
    multiply(out, opTransform(kind, values, first), out);
    first += CHANNELS[kind];
  }
}

function opTransform(kind: number, values: Float64Array, first: number): Transform {
  const [x, y, z] = [values[first], values[first + 1], values[first + 2]];
  switch (kind) {
    case SCALE:
      return Float64Array.of(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0);
    case TRANSLATE:
      return Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z);
    case ROTATE:
      return rotation(x, y, z, values[first + 3]);
    case MATRIX:
      return fromColumns(values, first);
    default: {
      const axis = kind - ROTATE_X;
      return rotation(axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0, x);
    }
  }
}

/** Rodrigues' formula; a zero axis gives the identity. */
function rotation(ax: number, ay: number, az: number, degrees: number): Transform {
  const length = Math.hypot(ax, ay, az);
  if (length === 0) return identityTransform();
  const [x, y, z] = [ax / length, ay / length, az / length];
  const angle = (degrees * Math.PI) / 180;
  const s = sin(angle);
  const c = cos(angle);
  const k = 1 - c;
  return Float64Array.of(
    k * x * x + c,
    k * x * y - s * z,
    k * x * z + s * y,
    0,
    k * x * y + s * z,
    k * y * y + c,
    k * y * z - s * x,
    0,
    k * x * z - s * y,
    k * y * z + s * x,
    k * z * z + c,
    0,
  );
}

/**
 * @param share  0 gives a, 1 gives b
 * @param out    may alias a or b
 */
export function interpolateTransforms(a: Transform, b: Transform, share: number, out: Transform): void {
  const [rotationA, stretchA] = polar(a);
  const [rotationB, stretchB] = polar(b);
  const quaternions = new Float64Array(12);
  quaternionFromRotation(rotationA, 0, quaternions, 0);
  quaternionFromRotation(rotationB, 0, quaternions, 4);
  slerp(quaternions, 0, quaternions, 4, share, quaternions, 8);
  const r = new Float64Array(9);
  rotationFromQuaternion(quaternions, 8, r, 0);
  const s = stretchA.map((value, k) => value + share * (stretchB[k] - value));
  for (let row = 0; row < 3; row++) {
    for (let c = 0; c < 3; c++) {
      out[4 * row + c] = r[3 * row] * s[c] + r[3 * row + 1] * s[3 + c] + r[3 * row + 2] * s[6 + c];
    }
    out[4 * row + 3] = a[4 * row + 3] + share * (b[4 * row + 3] - a[4 * row + 3]);
  }
}

function polar(m: Transform): [Float64Array, Float64Array] {
  const linear = Float64Array.of(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);
  const r = new Float64Array(9);
  const s = new Float64Array(9);
  polarDecomposition(linear, 0, r, 0, s, 0);
  return [r, s];
}
