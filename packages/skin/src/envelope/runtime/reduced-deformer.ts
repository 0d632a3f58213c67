/**
 * The reduced skin on the CPU: its palette, then matrix palette skinning by the proxies, with the vertices that stay on
 * the skeleton in the same pass, and displacements on top. About the cost of linear blending with four weights.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 5 and appendix A).
 */
import { LinearBlend, type Numerics, PaletteProduct } from '@pelt/math';
import type { ReducedEnvelope } from '@pelt/model';
import { addDisplacements } from './blended-pose.ts';
import { EnvelopePalette } from './envelope-palette.ts';

export class ReducedDeformer {
  readonly envelope: ReducedEnvelope;
  readonly #palette: EnvelopePalette;
  readonly #blend: LinearBlend;
  #product: PaletteProduct | undefined;

  constructor(numerics: Numerics, envelope: ReducedEnvelope) {
    const { rig, skin, proxies: P } = envelope;
    this.envelope = envelope;
    this.#palette = new EnvelopePalette(envelope, rig.bones, (matrix, width) => {
      this.#product = new PaletteProduct(numerics, matrix, width);
      return this.#product;
    });
    this.#blend = new LinearBlend(numerics, rig.mesh.positions, skin.bones, skin.weights, P + rig.bones.length);
  }

  /** (P + m) × 12: the proxies' transforms, then the bones', of the pose last given */
  get palette(): Float64Array {
    return this.#palette.palette;
  }

  /**
   * @param transforms  m × 12, rest → pose
   * @param out         n × 3; overwritten
   */
  deform(transforms: Float64Array, out: Float32Array): Float32Array {
    const { rig, displacements } = this.envelope;
    out.set(this.#blend.pose(this.proxies(transforms)));
    const cardinal = this.#palette.cardinalWeights();
    if (!displacements || !cardinal) return out;
    addDisplacements(displacements, rig.weights, cardinal, this.keyRotations(), out, displacements.axes);
    return out;
  }

  /** L × 9, rotations of the key gradients in the pose last given. */
  keyRotations(): Float64Array {
    return this.#palette.keyRotations();
  }

  /** Fills and returns `palette`. */
  proxies(transforms: Float64Array): Float64Array {
    return this.#palette.update(transforms);
  }

  /** m × 3 rotation vectors of the joints in the pose last given; a copy. */
  joints(): Float64Array {
    return this.#palette.joints.slice();
  }

  dispose(): void {
    this.#product?.dispose();
    this.#blend.dispose();
  }
}
