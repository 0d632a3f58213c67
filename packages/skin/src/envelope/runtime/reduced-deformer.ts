/**
 * Evaluates a reduced learnt skin on the CPU: its palette, then one pass of matrix palette skinning over the proxy bones
 * and, for the vertices that keep to linear blending, the skeleton; then displacements. About the cost of linear blend
 * skinning with four weights.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5 and appendix A).
 */
import { LinearBlend, PaletteProduct, VertexDisplacements } from '@pelt/kernels';
import { DISPOSE, type Numerics } from '@pelt/math';
import { type ReducedEnvelope, type Run, resolveOptions, TRANSFORM_SIZE, validateReducedEnvelope } from '@pelt/model';
import { ENVELOPE_DEFORMER_DEFAULTS, type EnvelopeDeformerOptions } from '../options.ts';
import { EnvelopePalette } from './envelope-palette.ts';

/**
 * Prepares a reduced learnt skin for evaluation. Dispose of it to free its memory.
 *
 * @example
 * {@includeCode ../../../examples/create-reduced-deformer.ts}
 */
export function createReducedDeformer(
  envelope: ReducedEnvelope,
  options: Partial<EnvelopeDeformerOptions> | undefined,
  run: Run,
): ReducedDeformer {
  validateReducedEnvelope(envelope);
  const { correction } = resolveOptions('createReducedDeformer', ENVELOPE_DEFORMER_DEFAULTS, options);
  return new ReducedDeformer(correction ? envelope : uncorrected(envelope), run);
}

/** The skin without what takes it to its examples. */
export function uncorrected({ corrections: _, displacements: __, ...envelope }: ReducedEnvelope): ReducedEnvelope {
  return envelope;
}

/** Evaluates a reduced learnt skin pose by pose; a call allocates nothing. */
export class ReducedDeformer implements Disposable {
  readonly envelope: ReducedEnvelope;
  /** The palette of the last pose, with its joints and the rotations of its key gradients. */
  readonly palette: EnvelopePalette;
  readonly #numerics: Numerics;
  #product: PaletteProduct | undefined;
  /** Made when positions are asked for: an engine has a skin of its own. */
  #blend: LinearBlend | undefined;
  #displacements: VertexDisplacements | undefined;

  constructor(envelope: ReducedEnvelope, { numerics }: Pick<Run, 'numerics'>) {
    const { rig } = envelope;
    this.envelope = envelope;
    this.#numerics = numerics;
    this.palette = new EnvelopePalette(envelope, rig.bones, (matrix, width) => {
      this.#product = new PaletteProduct(numerics, matrix, width);
      return this.#product;
    });
  }

  /**
   * Poses the skin.
   *
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3 positions; overwritten
   * @param swing       changes the palette before it moves the vertices
   */
  deform(transforms: Float64Array, out: Float32Array, swing?: (palette: Float64Array) => void): Float32Array {
    const blend = this.#blend ?? this.#makeBlend();
    const palette = this.palette.update(transforms);
    swing?.(palette);
    const posed = blend.pose(palette);
    const coefficients = this.palette.cardinalWeights();
    if (coefficients) this.#displacements?.add(coefficients, this.palette.keyRotations());
    out.set(posed);
    return out;
  }

  #makeBlend(): LinearBlend {
    const { rig, skin, keys, displacements } = this.envelope;
    const numerics = this.#numerics;
    const bones = this.palette.palette.length / TRANSFORM_SIZE;
    const blend = new LinearBlend(numerics, rig.mesh.positions, skin.bones, skin.weights, bones);
    this.#blend = blend;
    if (displacements) {
      const given = { ...displacements, bones: rig.weights.bones, weights: rig.weights.weights };
      const counts = { bones: rig.bones.length, rotations: keys.references.length };
      this.#displacements = new VertexDisplacements(numerics, given, counts, blend.output);
    }
    return blend;
  }

  /** Frees the kernels' memory; the deformer must not be used afterwards. */
  dispose(): void {
    this.#product?.dispose();
    this.#blend?.dispose();
    this.#displacements?.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}
