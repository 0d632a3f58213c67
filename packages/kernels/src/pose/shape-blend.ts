/**
 * The gradients that a blend of examples asks of many proxies, m(β) = exp(Σ β_e ω_e)(I + Σ β_e Ŝ_e), with their
 * derivatives: ω_e is the logarithm of a proxy's rotation in example e, Ŝ_e its stretch less the identity. Nothing is
 * allocated in a call.
 *
 * References: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equation 3). Sumner, Zwicker,
 * Gotsman, Popović. Mesh-based inverse kinematics. 2005 (section 4).
 */
import { type Block, NumericError, type Numerics, type Scope } from '@pelt/math';
import * as kernels from '../generated/calls.ts';

/** Numbers in a run of derivatives: one for the value itself, one for each example, and zero up to an even number. */
export function runWidth(examples: number): number {
  return examples + 1 + ((examples + 1) % 2);
}

/**
 * Deformation gradients blended from examples, rotations by their logarithms, with derivatives by the shares.
 * @example
 * {@includeCode ../../examples/posing.ts}
 */
export class ShapeBlend {
  /** Numbers in a run: m − I and its derivatives. */
  readonly width: number;
  readonly #count: number;
  readonly #examples: number;
  /** p × width: shares of the examples, from the second number of a row on, for `gradientsEach` and `derivativesEach` */
  readonly blends: Block<Float64Array>;
  /** p × 9: rotations, row-major, that these apply last */
  readonly turns: Block<Float64Array>;
  readonly #shapes: Block<Float64Array>;
  readonly #beta: Block<Float64Array>;
  readonly #fill: (f: kernels.PoseShapes) => void;

  /**
   * @param scope      owns what lies in wasm memory
   * @param count      p
   * @param examples   E
   * @param logs       E × p × 3
   * @param stretches  E × p × 6, Ŝ as xx, xy, xz, yy, yz, zz
   */
  constructor(
    numerics: Numerics,
    scope: Scope,
    count: number,
    examples: number,
    logs: Float64Array,
    stretches: Float64Array,
  ) {
    if (logs.length !== 3 * count * examples || stretches.length !== 6 * count * examples) {
      throw new NumericError(`ShapeBlend: the arrays are not of ${examples} examples of ${count} proxies`);
    }
    this.width = runWidth(examples);
    this.#count = count;
    this.#examples = examples;
    this.#shapes = scope.f64(9 * count * this.width);
    this.#beta = scope.f64(this.width);
    this.blends = scope.f64(this.width * count);
    this.turns = scope.f64(9 * count);
    const turns = this.turns.view;
    for (let k = 0; k < turns.length; k++) turns[k] = (k % 9) % 4 === 0 ? 1 : 0;
    this.#fill = kernels.poseShapes(numerics);
    const shapes = this.#shapes.view;
    for (let e = 0; e < examples; e++) {
      for (let p = 0; p < count; p++) {
        const at = 9 * p * this.width + e + 1;
        for (let k = 0; k < 3; k++) shapes[at + k * this.width] = logs[3 * (e * count + p) + k];
        for (let k = 0; k < 6; k++) shapes[at + (3 + k) * this.width] = stretches[6 * (e * count + p) + k];
      }
    }
  }

  /**
   * m − I of every proxy.
   *
   * @param beta  E
   * @param out   3p rows of `stride`: number r of row 3p + c is element (r, c)
   */
  gradients(beta: Float64Array, out: Block<Float64Array>, stride: number): void {
    this.#run(beta, 0, out, stride);
  }

  /**
   * m − I of every proxy and its derivatives.
   *
   * @param out  3p rows of `stride`, three runs of the width each: element (r, c) of m − I, then its derivatives by each
   *             β, in run r of row 3p + c
   */
  derivatives(beta: Float64Array, out: Block<Float64Array>, stride: number): void {
    this.#run(beta, 1, out, stride);
  }

  /** As `gradients`, with a blend for each proxy, `blends`, and a rotation applied last, `turns`. */
  gradientsEach(out: Block<Float64Array>, stride: number): void {
    this.#fillAll(this.blends.pointer, 1, this.turns.pointer, 0, out, stride);
  }

  /** As `derivatives`, with a blend for each proxy, `blends`, and a rotation applied last, `turns`. */
  derivativesEach(out: Block<Float64Array>, stride: number): void {
    this.#fillAll(this.blends.pointer, 1, this.turns.pointer, 1, out, stride);
  }

  #run(beta: Float64Array, derivatives: number, out: Block<Float64Array>, stride: number): void {
    const shares = this.#beta.view;
    for (let e = 0; e < this.#examples; e++) shares[e + 1] = beta[e];
    this.#fillAll(this.#beta.pointer, 0, 0, derivatives, out, stride);
  }

  #fillAll(beta: number, each: number, turns: number, derivatives: number, out: Block<Float64Array>, stride: number) {
    this.#fill({
      p: this.#count,
      shapes: this.#shapes.pointer,
      width: this.width,
      beta,
      each,
      turns,
      derivatives,
      out: out.pointer,
      stride,
    });
  }
}
