/**
 * Residuals of the examples under linear blending of the controls, as displacements of the rest pose that follow the
 * blend: v = Σ w M (p + Σ β_e d_e). The blend of a single example then reproduces that example including its wrinkles,
 * and every engine can play it: a skin with morph targets.
 *
 * M d = v − M p is solved by singular values, the small ones damped, since an example may squash the surface at a vertex: a
 * displacement that is large at rest and hardly visible in its example would show in other poses. Without that, blends
 * that extrapolate tear the surface there: a horse whose handle is pulled away by half its size has edges of 22 times the
 * longest in its examples, with it of 2.1.
 */
import { linearPart, svd3 } from '@pelt/math';
import {
  type Clip,
  checkCancelled,
  frameAt,
  type MeshSequence,
  poseAt,
  type Rig,
  type RunContext,
  TRANSFORM_SIZE,
} from '@pelt/model';

/** Singular values below this fraction of their root mean square count for less. */
const SQUASHED = 1 / 3;

/**
 * @param clip      controls of every example, rest → example
 * @param examples  the example meshes
 * @returns E displacements, n × 3 each
 */
export function learnDetails(
  { mesh, weights, bones }: Rig,
  clip: Clip,
  examples: MeshSequence,
  run?: RunContext,
): Float32Array[] {
  const p = mesh.positions;
  const frame = new Float64Array(TRANSFORM_SIZE);
  const missing = new Float64Array(3);
  const inverse = new DampedInverse();
  return Array.from(clip.times, (_, e) => {
    checkCancelled(run);
    const { transforms } = poseAt(clip, e, bones.length);
    const truth = frameAt(examples, e);
    const details = new Float32Array(p.length);
    for (let i = 0; 3 * i < p.length; i++) {
      frame.fill(0);
      for (let s = i * weights.slots; s < (i + 1) * weights.slots; s++) {
        const at = TRANSFORM_SIZE * weights.bones[s];
        for (let k = 0; k < TRANSFORM_SIZE; k++) frame[k] += weights.weights[s] * transforms[at + k];
      }
      for (let r = 0; r < 3; r++) {
        missing[r] = truth[3 * i + r] - frame[4 * r + 3];
        for (let c = 0; c < 3; c++) missing[r] -= frame[4 * r + c] * p[3 * i + c];
      }
      inverse.apply(frame, missing, details, 3 * i);
    }
    return details;
  });
}

/** Solves M d = v, with 1/σ replaced by σ/σ₀² below σ₀; zero where M vanishes. */
class DampedInverse {
  readonly #linear = new Float64Array(9);
  readonly #u = new Float64Array(9);
  readonly #s = new Float64Array(3);
  readonly #v = new Float64Array(9);

  /**
   * @param m    12: M and a translation, row-major
   * @param v    3
   * @param out  three numbers from index `at` on are overwritten
   */
  apply(m: Float64Array, v: Float64Array, out: Float32Array, at: number): void {
    const u = this.#u;
    const s = this.#s;
    linearPart(m, 0, this.#linear, 0);
    svd3(this.#linear, 0, u, s, this.#v);
    const least = SQUASHED * Math.sqrt((s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) / 3);
    out[at] = out[at + 1] = out[at + 2] = 0;
    if (!(least > 0)) return;
    for (let k = 0; k < 3; k++) {
      const size = Math.abs(s[k]);
      const factor = size < least ? s[k] / (least * least) : 1 / s[k];
      const along = factor * (u[k] * v[0] + u[3 + k] * v[1] + u[6 + k] * v[2]);
      for (let r = 0; r < 3; r++) out[at + r] += along * this.#v[3 * r + k];
    }
  }
}
