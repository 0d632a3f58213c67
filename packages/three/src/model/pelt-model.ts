/**
 * What a mesh plays, apart from its pose: shared by all clones, never changed.
 *
 * Every model is matrix palette skinning, v'ᵢ = Σₛ wᵢₛ T_b p̂ᵢ, with b the bone of slot s, over a palette that is the
 * `added` transforms first and the joints after them. What is added follows from the joints: proxies or
 * added joints of a learnt skin, virtual bones of a two-layer skin, or nothing.
 */
import {
  type Dynamics,
  InputError,
  type Mesh,
  type Poser,
  type SkinWeights,
  type Sliders,
  UsageError,
  validateSkinWeights,
} from '@pelt/model';
import type { EnvelopeDriver } from '@pelt/skin/envelope/runtime';

export interface PeltModel {
  readonly kind: 'linear' | 'two-layer' | 'envelope' | 'poser';
  /** n × K over the palette */
  readonly skin: SkinWeights;
  /** Transforms before the joints in the palette. */
  readonly added: number;
  /** Two-layer: added × c over the joints. */
  readonly masters?: SkinWeights;
  /** Envelope: how the proxies follow the joints. */
  readonly envelope?: EnvelopeDriver;
  /** Envelope with displacements: n × K' over the joints, which blend the weights of the example poses. */
  readonly jointSkin?: SkinWeights;
  /** Envelope: bones of the palette that swing. */
  readonly dynamics?: Dynamics;
  /** Poser: all of it but the mesh, which the geometry has. */
  readonly poser?: Omit<Poser, 'rig'>;
  /** Joints that follow sliders, whose values are the mesh's morph target influences. */
  readonly sliders?: Sliders;
  /** Of a mesh that is one of several parts which a poser moves as one. */
  readonly part?: PosedPart;
}

/** All that a poser moves, and which of it a mesh is. */
export interface PosedPart {
  /** The parts as one mesh, in the order of the file. */
  readonly surface: Mesh;
  /** N × K of all its vertices */
  readonly weights: SkinWeights;
  /** The mesh's first vertex among them. */
  readonly first: number;
}

/**
 * Linear blend skinning with any number of weights.
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function linearModel(skin: SkinWeights): PeltModel {
  return { kind: 'linear', skin, added: 0 };
}

/**
 * A character that is dragged by its skin.
 * @example
 * {@includeCode ../../examples/models.ts}
 */
export function poserModel(skin: SkinWeights, poser: Omit<Poser, 'rig'>): PeltModel {
  return { kind: 'poser', skin, added: 0, poser };
}

/**
 * Two-layer skinning: virtual bones as blends of joints.
 *
 * @param skin     n × 2 over the virtual bones
 * @param masters  q × c over the m joints
 *
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function twoLayerModel(skin: SkinWeights, masters: SkinWeights, joints: number): PeltModel {
  const q = masters.bones.length / masters.slots;
  validateSkinWeights(masters, q, joints);
  const wrong = skin.bones.find((bone, k) => skin.weights[k] > 0 && bone >= q);
  if (wrong !== undefined)
    throw new InputError(`two-layer skin: a vertex goes with bone ${wrong}, which is not virtual`);
  return { kind: 'two-layer', skin, added: q, masters };
}

/**
 * A learnt skin, reduced to proxies.
 *
 * @param skin       n × K over P proxies, added joints if any, then m bones
 * @param jointSkin  n × K' over the m bones
 * @param dynamics   where it swings
 *
 * @example
 * {@includeCode ../../examples/models.ts}
 */
export function envelopeModel(
  skin: SkinWeights,
  envelope: EnvelopeDriver,
  jointSkin: SkinWeights,
  dynamics?: Dynamics,
): PeltModel {
  return {
    kind: 'envelope',
    skin,
    added: envelope.proxies + (envelope.addedJoints ?? 0),
    envelope,
    ...(envelope.displacements && { jointSkin }),
    ...(dynamics && { dynamics }),
  };
}

/** Displacements that the model has on top of its skin, of examples or principal ones; 0 for none. */
export function displacementCount({ envelope, skin }: PeltModel): number {
  const n = skin.bones.length / skin.slots;
  return n > 0 ? (envelope?.displacements?.displacements.length ?? 0) / (3 * n) : 0;
}

/** What plays the model as it is meant, for messages; undefined where plain three.js does. */
export function beyondStockSkinning(model: PeltModel): string | undefined {
  if (model.skin.slots > 4) return `${model.skin.slots} weights per vertex`;
  if (displacementCount(model) > 0) return 'displacements of a learnt skin';
  return undefined;
}

export function requireJoints(what: string, found: number, expected: number): void {
  if (found !== expected) throw new UsageError(`${what}: ${found} joints, but the model has ${expected}`);
}
