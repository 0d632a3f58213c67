import { InputError } from './errors.ts';
import { type Mesh, validateMesh } from './mesh.ts';
import { type PaletteCorrections, validatePaletteCorrections } from './palette-corrections.ts';
import { requireFinite, requireIndices, requireLength } from './require.ts';
import { type Bone, type Rig, validateRig } from './rig.ts';
import { type SkinWeights, validateSkinWeights } from './skin-weights.ts';

/** One exponential of a sum with z = 1 − cos‖x‖, or a product of exponentials with z = 1, as in the thesis. */
export type PredictorForm = 'exponential-of-sum' | 'product-of-exponentials';

const FORMS: readonly PredictorForm[] = ['exponential-of-sum', 'product-of-exponentials'];
/** What files written before 0.2 call the forms. */
const EARLIER_FORMS: ReadonlyMap<unknown, PredictorForm> = new Map([
  ['improved', 'exponential-of-sum'],
  ['thesis', 'product-of-exponentials'],
]);

/**
 * The form that a file names, by its name of today or an earlier one.
 * @example
 * {@includeCode ../examples/predictor-form.ts}
 */
export function predictorForm(name: unknown): PredictorForm {
  const form = FORMS.find((known) => known === name) ?? EARLIER_FORMS.get(name);
  if (!form) throw new InputError(`learnt skin: unknown form '${String(name)}'; there are ${FORMS.join(', ')}`);
  return form;
}

/**
 * How the deformation gradient of every triangle follows from the joints: D = Q_ref · exp(Σ A x) · (I + Σ H [x, z]).
 */
export interface GradientPredictors {
  readonly form: PredictorForm;
  /** Joints that a triangle may listen to. */
  readonly slots: number;
  /** f reference bones */
  readonly references: Uint16Array;
  /** f × slots blocks of coordinates: 2j for joint j's rotation vector, 2j + 1 for its swing and twist; −1: unused */
  readonly blocks: Int32Array;
  /** f × slots × 9, A row-major */
  readonly rotationMaps: Float64Array;
  /** f × slots × 36, H row-major 9 × 4 */
  readonly stretchMaps: Float64Array;
}

/**
 * Displacements of the vertices at example poses, interpolated between them. Each is given in the axes that the skin
 * below predicts round its vertex.
 */
export interface PoseDisplacements {
  /** E × m × 3 rotation vectors of the joints at the example poses */
  readonly poses: Float64Array;
  /** E × n × 3; with `mixing` R × n × 3, the principal displacements */
  readonly displacements: Float32Array;
  /** R × E: how much of each principal displacement an example has; absent where every example has its own. */
  readonly mixing?: Float64Array;
}

/**
 * A learnt skin: a rig whose linear blend serves near-rigid vertices, gradients for the others, and displacements on
 * top of either.
 */
export interface Envelope {
  /** The rig with its seams welded: the gradients are those of one connected surface. */
  readonly rig: Rig;
  /** Where seams were welded: the mesh as it was given, whose vertices deformers pose. */
  readonly unwelded?: {
    readonly mesh: Mesh;
    /** n: the vertex of `rig.mesh` for each vertex of `mesh` */
    readonly map: Uint32Array;
  };
  /** m × 3 middles of the joints' ranges, as rotation vectors: the branch on which they are read. */
  readonly centres: Float64Array;
  /** Absent where linear blending with displacements, or with added joints, did better on poses left out. */
  readonly predictors?: GradientPredictors;
  /** n × K over the m bones, then the joints added to them, where this blend takes the place of the rig's. */
  readonly addedBlend?: SkinWeights;
  /** n, 1 for a vertex that stays with the rig's linear blend */
  readonly fixed: Uint8Array;
  /** κ, pull of the free vertices towards the blend with its displacements; 0 for none. */
  readonly pull: number;
  /** Displacements of the linear blend: pose space deformation, in the axes of the blend. */
  readonly blendDisplacements?: PoseDisplacements;
  /** Displacements of the result, in the axes of the gradients. */
  readonly displacements?: PoseDisplacements;
}

/**
 * Throws `InputError` unless the rig is valid and every array has its size, finite, with indices in range.
 * @example
 * {@includeCode ../examples/envelope.ts}
 */
export function validateEnvelope(envelope: Envelope): void {
  const { rig, unwelded, centres, predictors, addedBlend, fixed, pull } = envelope;
  validateRig(rig);
  const what = `envelope '${rig.name}'`;
  const m = rig.bones.length;
  const n = rig.mesh.positions.length / 3;
  if (unwelded) {
    validateMesh(unwelded.mesh);
    requireLength(`${what}: unwelded.map`, unwelded.map, unwelded.mesh.positions.length / 3);
    requireIndices(`${what}: unwelded.map`, unwelded.map, n);
  }
  requireLength(`${what}: centres`, centres, 3 * m);
  requireFinite(`${what}: centres`, centres, 3);
  requireLength(`${what}: fixed`, fixed, n);
  if (!(pull >= 0 && pull < Number.POSITIVE_INFINITY)) throw new InputError(`${what}: a pull of ${pull}, expected ≥ 0`);
  if (addedBlend) validateSkinWeights(addedBlend, n, addedJointCount(rig.bones) + m);
  if (predictors) validatePredictors(`${what}: predictors`, predictors, rig.mesh.triangles.length / 3, m);
  for (const part of ['blendDisplacements', 'displacements'] as const) {
    const given = envelope[part];
    if (given) validateDisplacements(`${what}: ${part}`, given, n, m);
  }
}

function validateDisplacements(
  what: string,
  { poses, displacements, mixing }: PoseDisplacements,
  n: number,
  m: number,
): void {
  if (poses.length === 0 || poses.length % (3 * m) !== 0) {
    throw new InputError(`${what}: ${poses.length} numbers are not poses of ${m} joints`);
  }
  requireFinite(`${what}: poses`, poses, 3 * m);
  const E = poses.length / (3 * m);
  if (mixing) {
    if (mixing.length === 0 || mixing.length % E !== 0) {
      throw new InputError(`${what}: ${mixing.length} numbers do not mix displacements of ${E} poses`);
    }
    requireFinite(`${what}: mixing`, mixing, E);
  }
  requireLength(what, displacements, (mixing ? mixing.length / E : E) * 3 * n);
  requireFinite(what, displacements, 3 * n);
}

function validatePredictors(what: string, predictors: GradientPredictors, f: number, m: number): void {
  const { form, slots, references, blocks, rotationMaps, stretchMaps } = predictors;
  if (!FORMS.includes(form)) throw new InputError(`${what}: unknown form '${form}'`);
  if (!Number.isInteger(slots) || slots < 1) throw new InputError(`${what}: ${slots} slots, expected 1 or more`);
  requireLength(`${what}: references`, references, f);
  requireIndices(`${what}: references`, references, m);
  requireLength(`${what}: blocks`, blocks, f * slots);
  for (let k = 0; k < blocks.length; k++) {
    if (blocks[k] < -1 || blocks[k] >= 2 * m) {
      throw new InputError(`${what}: block ${blocks[k]} at ${k} is out of range, there are ${2 * m}`);
    }
  }
  requireLength(`${what}: rotation maps`, rotationMaps, 9 * f * slots);
  requireFinite(`${what}: rotation maps`, rotationMaps, 9);
  requireLength(`${what}: stretch maps`, stretchMaps, 36 * f * slots);
  requireFinite(`${what}: stretch maps`, stretchMaps, 36);
}

/**
 * Joints that Mohr and Gleicher add to a skeleton: three for each bone with a parent.
 *
 * @param bones  m, of the rig
 *
 * @example
 * {@includeCode ../examples/envelope.ts}
 */
export function addedJointCount(bones: readonly Bone[]): number {
  return 3 * bones.filter(({ parent }) => parent >= 0).length;
}

/**
 * A learnt skin at the price of plain skinning: L key gradients and the bones give P proxy bones by two constant
 * matrices, and these move the vertices by linear blending.
 */
export interface ReducedEnvelope {
  readonly rig: Rig;
  /** m × 3 middles of the joints' ranges, as in `Envelope`. */
  readonly centres: Float64Array;
  /** P, proxy bones; 0 for linear blending, with displacements (pose space deformation) or without */
  readonly proxies: number;
  /** Joints added to the skeleton that the skin has weights over, if any (`addedJointCount`). */
  readonly addedJoints?: number;
  /** Predictors of the L key gradients: the f of their arrays is L. */
  readonly keys: GradientPredictors;
  /** 4P × 3L: row by row of the proxies' transforms, from the same row of the key gradients */
  readonly fromKeys: Float64Array;
  /** 4P × 4m: the same from the bones' transforms */
  readonly fromBones: Float64Array;
  /** Weights over P proxies, the added joints if any, then the m bones for vertices that stay with a linear blend. */
  readonly skin: SkinWeights;
  /** What takes the palette to the examples, where there are proxies. */
  readonly corrections?: PaletteCorrections;
  /** Displacements of the result, in the axes of one key gradient a vertex; where linear blending has no proxies. */
  readonly displacements?: PoseDisplacements & { readonly axes: Uint16Array };
}

/**
 * Throws `InputError` unless the rig is valid and every array has its size, finite, with indices in range.
 * @example
 * {@includeCode ../examples/envelope.ts}
 */
export function validateReducedEnvelope(envelope: ReducedEnvelope): void {
  const { rig, centres, proxies: P, keys, fromKeys, fromBones, skin, corrections, displacements } = envelope;
  validateRig(rig);
  const what = `reduced envelope '${rig.name}'`;
  const [m, n, L] = [rig.bones.length, rig.mesh.positions.length / 3, keys.references.length];
  if (!Number.isInteger(P) || P < 0) throw new InputError(`${what}: ${P} proxies, expected 0 or more`);
  requireLength(`${what}: centres`, centres, 3 * m);
  requireFinite(`${what}: centres`, centres, 3);
  validatePredictors(`${what}: keys`, keys, L, m);
  requireLength(`${what}: fromKeys`, fromKeys, 4 * P * 3 * L);
  requireFinite(`${what}: fromKeys`, fromKeys, 3 * L);
  requireLength(`${what}: fromBones`, fromBones, 4 * P * 4 * m);
  requireFinite(`${what}: fromBones`, fromBones, 4 * m);
  const { addedJoints = 0 } = envelope;
  if (addedJoints !== 0 && addedJoints !== addedJointCount(rig.bones)) {
    throw new InputError(`${what}: ${addedJoints} added joints, expected ${addedJointCount(rig.bones)}`);
  }
  validateSkinWeights(skin, n, P + addedJoints + m);
  if (corrections) validatePaletteCorrections(`${what}: corrections`, corrections, m, P + addedJoints + m);
  if (!displacements) return;
  validateDisplacements(`${what}: displacements`, displacements, n, m);
  requireLength(`${what}: axes`, displacements.axes, n);
  requireIndices(`${what}: axes`, displacements.axes, L);
}
