/**
 * A character: the surface, the joints that drive it, the skin that follows them, and what may come with it. Drivers
 * (clips, handles, a performer) give poses of the joints and do not ask which skin follows; the skin does not ask who
 * drives it. `playerOf` of @pelt/skin evaluates it.
 */
import { type SavedBody, validateSavedBody } from './body.ts';
import { type Clip, validateClip } from './clip.ts';
import { type Dynamics, validateDynamics } from './dynamics.ts';
import { type ReducedEnvelope, validateReducedEnvelope } from './envelope.ts';
import { InputError } from './errors.ts';
import { type Mesh, vertexCount } from './mesh.ts';
import type { Poser } from './poser.ts';
import { type SavedPuppet, validateRegistration } from './puppet.ts';
import { requireFinite, requireLength } from './require.ts';
import { type Bone, type Rig, TRANSFORM_SIZE, validateRig } from './rig.ts';
import { type SkinWeights, validateSkinWeights } from './skin-weights.ts';
import { flattenedWeights, type TwoLayerSkin, virtualCount } from './two-layer-skin.ts';

/** How the surface follows the joints. Every kind has an entry in the player, and none is known to a driver. */
export type CharacterSkin =
  | {
      /** v = Σ w M p, with any number of weights. */
      readonly kind: 'linear';
      readonly weights: SkinWeights;
    }
  | {
      /** The same weights blend unit dual quaternions. */
      readonly kind: 'dual-quaternion';
      readonly weights: SkinWeights;
    }
  | {
      /** Virtual bones are blends of the joints, and vertices blends of virtual bones. */
      readonly kind: 'two-layer';
      readonly layers: TwoLayerSkin;
    }
  | {
      /** A learnt skin. */
      readonly kind: 'envelope';
      /** The linear blend that any player shows, and that displacements are mixed by. */
      readonly weights: SkinWeights;
      readonly envelope: Omit<ReducedEnvelope, 'rig'>;
    }
  | {
      /** Linear blending whose morph targets follow the pose. */
      readonly kind: 'eigenskin';
      readonly weights: SkinWeights;
      readonly examples: EigenSkinExamples;
      /** R: the displacement field that each morph target of the character is; −1 for one that is driven by itself. */
      readonly fields: Int32Array;
    };

/** How much each displacement field is on in known poses. */
export interface EigenSkinExamples {
  /** E × m × 12, rest → pose */
  readonly poses: Float64Array;
  /** E × F */
  readonly amounts: Float32Array;
}

/** A displacement of the rest pose with a weight of its own. */
export interface CharacterMorph {
  readonly name: string;
  /** Index into the mesh's `objects`, 0 where it has none: weights are per object. */
  readonly object: number;
  /** n × 3 */
  readonly deltas: Float32Array;
}

/** A clip of the joints, with the weights of morph targets beside them. */
export interface CharacterClip extends Clip {
  /** S × R: how far each target is on, beyond what the rest pose has of it; absent: as at rest, or as the skin says. */
  readonly morphWeights?: Float32Array;
}

export interface Character {
  readonly name: string;
  /** All parts at rest, with their materials. */
  readonly mesh: Mesh;
  /** m joints, parents before children; those that a skin computes by itself are not among them. */
  readonly joints: readonly Bone[];
  readonly skin: CharacterSkin;
  /** R */
  readonly morphs: readonly CharacterMorph[];
  readonly clips: readonly CharacterClip[];
  /** Secondary motion of the bones that the skin has: proxies and added joints of a learnt one, then the joints. */
  readonly dynamics?: Dynamics;
  /** The examples by which it is posed from points of its skin. */
  readonly poseSpace?: Poser;
  /** Joints by the human bones of VRM (`leftUpperLeg`), where a file says which they are. */
  readonly humanBones?: Readonly<Record<string, number>>;
  /** The solid inside it, by which `createVolumeDeformer` deforms it. */
  readonly body?: SavedBody;
  /** Poses of a performer with poses of the joints, by which it follows another performance. */
  readonly puppet?: SavedPuppet;
}

/**
 * The linear rig of a character: what solvers take that fit or pose linear blending. Two layers are multiplied out; what
 * else a skin does beyond blending is left out.
 *
 * @example
 * {@includeCode ../examples/character.ts}
 */
export function linearRigOf({ name, mesh, joints, skin }: Character): Rig {
  const weights = skin.kind === 'two-layer' ? flattenedWeights(skin.layers) : skin.weights;
  return { name, mesh, bones: joints, weights };
}

/**
 * Throws `InputError` unless every array has its size, finite, with indices in range.
 * @example
 * {@includeCode ../examples/character.ts}
 */
export function validateCharacter(character: Character): void {
  const { name, mesh, joints, skin, morphs, clips } = character;
  const what = `character '${name}'`;
  const [n, m, R] = [vertexCount(mesh), joints.length, morphs.length];
  if (skin.kind === 'two-layer') {
    const q = virtualCount(skin.layers);
    validateSkinWeights(skin.layers.masters, q, m);
    validateSkinWeights(skin.layers.vertices, n, q);
  }
  const rig = linearRigOf(character);
  validateRig(rig);
  morphs.forEach((morph, r) => {
    requireLength(`${what}: morph ${r} '${morph.name}'`, morph.deltas, 3 * n);
    requireFinite(`${what}: morph ${r} '${morph.name}'`, morph.deltas, 3);
  });
  for (const clip of clips) {
    validateClip(clip, m);
    if (clip.morphWeights) requireLength(`${what}: morph weights`, clip.morphWeights, clip.times.length * R);
  }
  for (const [bone, joint] of Object.entries(character.humanBones ?? {})) {
    if (!(Number.isInteger(joint) && joint >= 0 && joint < m)) {
      throw new InputError(`${what}: its ${bone} is joint ${joint}, there are ${m}`);
    }
  }
  if (skin.kind === 'envelope') validateReducedEnvelope({ ...skin.envelope, rig });
  if (character.dynamics) {
    if (skin.kind !== 'envelope')
      throw new InputError(`${what}: dynamics go with a learnt skin, not with ${skin.kind}`);
    validateDynamics(character.dynamics, m, skin.envelope.proxies + (skin.envelope.addedJoints ?? 0) + m);
  }
  if (character.body) validateSavedBody(character.body, n, m);
  if (character.puppet) validateRegistration(character.puppet.pairs, m);
  if (skin.kind === 'eigenskin') validateExamples(what, skin.examples, skin.fields, m, R);
}

function validateExamples(what: string, examples: EigenSkinExamples, fields: Int32Array, m: number, R: number): void {
  const { poses, amounts } = examples;
  const E = poses.length / (m * TRANSFORM_SIZE);
  if (!Number.isInteger(E) || E < 1) {
    throw new InputError(`${what}: ${poses.length} numbers are not poses of ${m} joints`);
  }
  requireFinite(`${what}: example poses`, poses, TRANSFORM_SIZE);
  const F = amounts.length / E;
  if (!Number.isInteger(F) || F < 1) throw new InputError(`${what}: ${amounts.length} amounts for ${E} example poses`);
  requireFinite(`${what}: example amounts`, amounts);
  requireLength(`${what}: fields`, fields, R);
  const wrong = fields.find((field) => field < -1 || field >= F);
  if (wrong !== undefined) throw new InputError(`${what}: there is no displacement field ${wrong}, there are ${F}`);
}
