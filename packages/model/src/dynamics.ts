import { type Capsules, validateCapsules } from './capsules.ts';
import { InputError } from './errors.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';

/** Numbers that a driving joint gives: velocity, angular velocity, their product, six products of rates, gravity. */
export const DRIVER_INPUTS = 18;
/** Of these, the last are the direction of gravity in the joint's axes. */
export const GRAVITY_INPUTS = 3;
/** A swinging bone moves by a rotation vector about its centre, a translation, and a stretch: xx, yy, zz, xy, xz, yz. */
export const SWING_CODE = 12;

/**
 * Secondary motion of a skin: bones of its matrix palette that swing when joints move. Mode amplitudes are read from
 * the pose, from the motion of the joints in the last interval, and from damped resonators that this motion drives:
 *
 *   a = o + P θ + T u + Σ F [s − g, ṡ/Ω],   s̈ + 2ζΩṡ + Ω²s = Ω² (B u + g),   g = B_g γ,
 *
 * and the transform of bone k follows x ↦ c + t + exp(r) (I + S) (x − c), with the numbers of `rest + modesᵀ a`.
 */
export interface Dynamics {
  /** Direction of gravity in model space, a unit vector. */
  readonly gravity: Float64Array;
  /** J joints whose motion drives the resonators */
  readonly drivers: Uint16Array;
  /** J × 2: greatest speed and angular speed in training, beyond which inputs are limited */
  readonly speeds: Float64Array;
  /** Joints whose rotation relative to their parent the pose part listens to. */
  readonly posed: Uint16Array;
  /** D bones of the palette */
  readonly bones: Uint16Array;
  /** D × 3 centres, at rest */
  readonly centres: Float64Array;
  /** D × 12, at zero amplitudes */
  readonly rest: Float64Array;
  /** R × 12D */
  readonly modes: Float64Array;
  /** R: greatest amplitudes in training, beyond which they are limited */
  readonly limits: Float64Array;
  /** R, o */
  readonly offsets: Float64Array;
  /**
   * R × (3 posed + 3J) or R × (9 posed + 3J), P: rotation vectors of the posed joints, or the entries of their rotation
   * matrices less the identity, row by row; then gravity in the axes of the drivers
   */
  readonly poseMap: Float64Array;
  /** R × 15J, T: the immediate response to motion; empty for none */
  readonly motionMap: Float64Array;
  /** K × 3: Ω in radians per second, ζ, and the number of channels of the pole */
  readonly poles: Float64Array;
  /** C × 18J, B and B_g, over the channels of all poles */
  readonly channels: Float64Array;
  /** R × 2C, F: for every channel the factors of s − g and of ṡ/Ω */
  readonly readOut: Float64Array;
  /** Capsules of the body that bones keep clear of; absent: none. */
  readonly contact?: Capsules & {
    /** D × capsules: how near the centre of each bone may come to the surface of each, negative inside */
    readonly clearances: Float64Array;
  };
}

/**
 * Throws `InputError` unless every array has its size, finite, with indices in range.
 *
 * @param joints   m of the skeleton
 * @param palette  bones of the palette
 * @example
 * {@includeCode ../examples/dynamics.ts}
 */
export function validateDynamics(dynamics: Dynamics, joints: number, palette: number): void {
  const what = 'dynamics';
  const { drivers, posed, bones, limits, poles } = dynamics;
  const [J, D, R, K] = [drivers.length, bones.length, limits.length, poles.length / 3];
  requireIndices(`${what}: drivers`, drivers, joints);
  requireIndices(`${what}: posed`, posed, joints);
  requireIndices(`${what}: bones`, bones, palette);
  if (poles.length % 3 !== 0) throw new InputError(`${what}: ${poles.length} numbers are not poles of 3 each`);
  let C = 0;
  for (let k = 0; k < K; k++) {
    const [omega, zeta, channels] = poles.subarray(3 * k, 3 * k + 3);
    if (!(omega > 0 && omega < 1e6))
      throw new InputError(`${what}: pole ${k} has a rate of ${omega}, expected above 0`);
    if (!(zeta > 0 && zeta < 1))
      throw new InputError(`${what}: pole ${k} has a damping of ${zeta}, expected in (0, 1)`);
    if (!(Number.isInteger(channels) && channels >= 0)) {
      throw new InputError(`${what}: pole ${k} has ${channels} channels, expected 0 or more`);
    }
    C += channels;
  }
  const motions = (DRIVER_INPUTS - GRAVITY_INPUTS) * J;
  const sizes: [keyof Dynamics, number][] = [
    ['gravity', 3],
    ['speeds', 2 * J],
    ['centres', 3 * D],
    ['rest', SWING_CODE * D],
    ['modes', R * SWING_CODE * D],
    ['limits', R],
    ['offsets', R],
    ['motionMap', dynamics.motionMap.length === 0 ? 0 : R * motions],
    ['channels', C * DRIVER_INPUTS * J],
    ['readOut', R * 2 * C],
  ];
  for (const [key, size] of sizes) {
    const values = dynamics[key] as Float64Array;
    requireLength(`${what}: ${key}`, values, size);
    requireFinite(`${what}: ${key}`, values);
  }
  requireFinite(`${what}: poseMap`, dynamics.poseMap);
  const widths = [3, 9].map((size) => size * posed.length + GRAVITY_INPUTS * J);
  if (!widths.some((width) => dynamics.poseMap.length === R * width)) {
    throw new InputError(
      `${what}: poseMap has ${dynamics.poseMap.length} numbers, expected ${R} × ${widths.join(' or ')}`,
    );
  }
  if (!dynamics.contact) return;
  const { clearances } = dynamics.contact;
  validateCapsules(dynamics.contact, joints);
  requireLength(`${what}: clearances`, clearances, D * dynamics.contact.bones.length);
  requireFinite(`${what}: clearances`, clearances);
}
