/**
 * The evaluator of characters: a pose of the joints and weights of morph targets in, positions and normals out. It is in
 * plain TypeScript, without kernels, and the reference of every other way to play a character.
 *
 * Morph targets are added to the rest pose before the joints blend, v = Σ w M (p + Σ a δ), as glTF 2.0 (3.7.2.2) has it,
 * with every skin.
 */
import {
  type Character,
  InputError,
  TRANSFORM_SIZE,
  validateCharacter,
  vertexNormals,
  virtualCount,
} from '@pelt/model';
import { EigenSkinPoses } from '../../decompose/runtime/eigenskin-poses.ts';
import { SwingPlayer, type SwingState } from '../../dynamics/runtime/swing-player.ts';
import { EnvelopePalette } from '../../envelope/runtime/envelope-palette.ts';
import { deformTwoLayer } from '../../reduce/runtime/two-layer.ts';
import { deformDualQuaternion } from '../../shared/blending/dual-quaternion.ts';
import { deformLinear } from '../../shared/blending/linear.ts';
import { addDisplacements } from './displacements.ts';

/**
 * Plays one character; calls with the same arrays give the same bits, whatever was played before. What depends on the
 * past, secondary motion, has its state with the caller.
 */
export interface Player {
  readonly character: Character;
  /** Of a character with dynamics: makes states and advances them. */
  readonly swing: SwingPlayer | undefined;
  /**
   * @param transforms  m × 12 of the joints, rest → pose
   * @param morphs      R weights beyond the rest pose; absent: what the skin makes of the pose, or none
   * @param out         n × 3 positions; overwritten
   * @param state       of `swing`, advanced to this pose; absent: the pose-only skin
   * @returns           `out`
   */
  positions(
    transforms: Float64Array,
    morphs: ArrayLike<number> | undefined,
    out: Float32Array,
    state?: SwingState,
  ): Float32Array;
  /**
   * Smooth normals of a posed surface, of unit length; zero where a vertex has no area.
   *
   * @param positions  n × 3, as `positions` gives them
   * @param out        n × 3; overwritten
   */
  normals(positions: Float32Array, out: Float32Array): Float32Array;
  /**
   * Weights of the morph targets that follow from a pose: those of EigenSkin, and none of others.
   *
   * @param out  R; overwritten
   */
  morphsAt(transforms: Float64Array, out: Float32Array): Float32Array;
}

/**
 * The evaluator of a character.
 *
 * @example
 * {@includeCode ../../../examples/player.ts}
 */
export function playerOf(character: Character): Player {
  validateCharacter(character);
  return new CharacterPlayer(character);
}

/** A skin over a rest pose that may have been morphed. */
type Deform = (rest: Float32Array, transforms: Float64Array, out: Float32Array, state?: SwingState) => void;

class CharacterPlayer implements Player {
  readonly character: Character;
  readonly swing: SwingPlayer | undefined;
  readonly #deform: Deform;
  readonly #eigenskin: EigenSkinPoses | undefined;
  readonly #amounts: Float32Array;
  readonly #own: Float32Array;
  /** The rest pose with its morph targets; in 64 bits while they are added up. */
  readonly #sum: Float64Array;
  readonly #morphed: Float32Array;
  readonly #normals: Float64Array;

  constructor(character: Character) {
    const { skin, joints, morphs, mesh } = character;
    this.character = character;
    this.swing = character.dynamics && new SwingPlayer(character.dynamics, joints);
    this.#deform = deformOf(character, this.swing);
    if (skin.kind === 'eigenskin') {
      const { poses: transforms, amounts } = skin.examples;
      const times = new Float64Array(transforms.length / (TRANSFORM_SIZE * joints.length));
      this.#eigenskin = new EigenSkinPoses(joints, { times, transforms }, amounts);
    }
    this.#amounts = new Float32Array(this.#eigenskin?.rank ?? 0);
    this.#own = new Float32Array(morphs.length);
    this.#sum = new Float64Array(morphs.length > 0 ? mesh.positions.length : 0);
    this.#morphed = new Float32Array(this.#sum.length);
    this.#normals = new Float64Array(mesh.positions.length);
  }

  positions(
    transforms: Float64Array,
    morphs: ArrayLike<number> | undefined,
    out: Float32Array,
    state?: SwingState,
  ): Float32Array {
    const { joints, mesh, morphs: targets } = this.character;
    if (transforms.length !== TRANSFORM_SIZE * joints.length) {
      throw new InputError(
        `player: ${transforms.length} numbers are not a pose of ${joints.length} joints; give 12 for each`,
      );
    }
    if (morphs && morphs.length !== targets.length) {
      throw new InputError(`player: ${morphs.length} weights for ${targets.length} morph targets`);
    }
    const weights = morphs ?? (this.#eigenskin ? this.morphsAt(transforms, this.#own) : undefined);
    this.#deform(weights ? this.#morph(weights) : mesh.positions, transforms, out, state);
    return out;
  }

  normals(positions: Float32Array, out: Float32Array): Float32Array {
    const sums = vertexNormals(positions, this.character.mesh.triangles, this.#normals);
    for (let k = 0; k < sums.length; k += 3) {
      const length = Math.hypot(sums[k], sums[k + 1], sums[k + 2]);
      for (let c = 0; c < 3; c++) out[k + c] = length > 0 ? sums[k + c] / length : 0;
    }
    return out;
  }

  morphsAt(transforms: Float64Array, out: Float32Array): Float32Array {
    const { skin } = this.character;
    out.fill(0);
    if (!this.#eigenskin || skin.kind !== 'eigenskin') return out;
    this.#eigenskin.amountsAt(transforms, this.#amounts);
    skin.fields.forEach((field, r) => {
      if (field >= 0) out[r] = this.#amounts[field];
    });
    return out;
  }

  #morph(weights: ArrayLike<number>): Float32Array {
    const { mesh, morphs } = this.character;
    if (morphs.every((_, r) => weights[r] === 0)) return mesh.positions;
    const sum = this.#sum;
    sum.set(mesh.positions);
    morphs.forEach(({ deltas }, r) => {
      const weight = weights[r];
      if (weight !== 0) for (let k = 0; k < deltas.length; k++) sum[k] += weight * deltas[k];
    });
    this.#morphed.set(sum);
    return this.#morphed;
  }
}

function deformOf({ skin, joints, mesh }: Character, swing: SwingPlayer | undefined): Deform {
  switch (skin.kind) {
    case 'linear':
    case 'eigenskin':
      return (rest, transforms, out) => deformLinear(rest, skin.weights, transforms, out);
    case 'dual-quaternion':
      return (rest, transforms, out) => deformDualQuaternion(rest, skin.weights, transforms, out);
    case 'two-layer': {
      const virtual = new Float64Array(virtualCount(skin.layers) * TRANSFORM_SIZE);
      return (rest, transforms, out) => deformTwoLayer(rest, skin.layers, transforms, virtual, out);
    }
    case 'envelope': {
      const { envelope, weights } = skin;
      const palette = new EnvelopePalette(envelope, joints);
      return (rest, transforms, out, state) => {
        const bones = palette.update(transforms);
        if (state) swing?.apply(state, bones);
        deformLinear(rest, envelope.skin, bones, out);
        const cardinal = palette.cardinalWeights();
        if (cardinal && envelope.displacements) {
          addDisplacements(envelope.displacements, weights, cardinal, palette.keyRotations(), out);
        }
      };
    }
    default:
      throw new InputError(`character '${mesh.name}': unknown skin '${(skin as { kind: string }).kind}'`);
  }
}
