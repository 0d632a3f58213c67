/**
 * Corrections of a palette between example poses: each transform T_b becomes T_b + Q_j [X | t − X o_j], in the axes Q_j and
 * about the origin o_j of the joint it follows, [X | t] mixed from those of the examples by the weights that these have at
 * the joints of the transform (`PaletteCorrections`). Pose space deformation of a few transforms in place of all vertices.
 *
 * Reference: Lewis, Cordner, Fong. Pose space deformation. 2000.
 */
import { type Bone, type PaletteCorrections, TRANSFORM_SIZE } from '@pelt/model';
import { PoseInterpolation, posesOf } from './pose-interpolation.ts';

export class CorrectionBlend {
  readonly #given: PaletteCorrections;
  readonly #interpolation: PoseInterpolation;
  /** m × 3 */
  readonly #origins: Float64Array;
  readonly #shares: Float64Array;
  readonly #map = new Float64Array(TRANSFORM_SIZE);

  constructor(bones: readonly Bone[], corrections: PaletteCorrections) {
    const poses = posesOf(corrections, bones.length);
    this.#given = corrections;
    this.#interpolation = new PoseInterpolation(bones, poses, corrections.mixing);
    this.#origins = Float64Array.from(bones.flatMap(({ rest }) => [rest[3], rest[7], rest[11]]));
    this.#shares = new Float64Array(this.#interpolation.count);
  }

  /**
   * Corrects a palette; allocates nothing.
   *
   * @param joints     m × 3 rotation vectors of the joints
   * @param rotations  m × 9 of the bones, rest → pose
   * @param palette    transforms, 12 each; added to
   */
  addTo(joints: Float64Array, rotations: Float64Array, palette: Float64Array): void {
    const { entries, slots, joints: homes } = this.#given;
    const cardinal = this.#interpolation.at(joints);
    const [map, origins] = [this.#map, this.#origins];
    for (let b = 0; b < entries.length; b++) {
      this.#mix(b, cardinal);
      const home = homes[b * slots];
      const x = origins[3 * home];
      const y = origins[3 * home + 1];
      const z = origins[3 * home + 2];
      for (let r = 0; r < 3; r++) map[4 * r + 3] -= map[4 * r] * x + map[4 * r + 1] * y + map[4 * r + 2] * z;
      for (let r = 0; r < 3; r++) {
        const q = 9 * home + 3 * r;
        const row = TRANSFORM_SIZE * entries[b] + 4 * r;
        for (let c = 0; c < 4; c++) {
          palette[row + c] += rotations[q] * map[c] + rotations[q + 1] * map[4 + c] + rotations[q + 2] * map[8 + c];
        }
      }
    }
  }

  /** The correction of transform b in the axes of its joint, into `#map`. */
  #mix(b: number, cardinal: Float64Array): void {
    const { entries, slots, joints, weights, maps } = this.#given;
    const [shares, map] = [this.#shares, this.#map];
    const R = shares.length;
    shares.fill(0);
    for (let s = b * slots; s < (b + 1) * slots; s++) {
      if (weights[s] !== 0) for (let r = 0; r < R; r++) shares[r] += weights[s] * cardinal[joints[s] * R + r];
    }
    map.fill(0);
    for (let r = 0, at = TRANSFORM_SIZE * b; r < R; r++, at += TRANSFORM_SIZE * entries.length) {
      const share = shares[r];
      for (let k = 0; k < TRANSFORM_SIZE; k++) map[k] += share * maps[at + k];
    }
  }
}
