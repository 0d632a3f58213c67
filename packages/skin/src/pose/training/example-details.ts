/**
 * Residuals of the examples under linear blending of the controls, as displacements of the rest pose that follow the
 * blend: v = Σ w M (p + Σ β_e d_e). The blend of a single example then reproduces that example including its wrinkles,
 * and every engine can play it: a skin with morph targets.
 *
 * M d = v − M p is solved with damping, since blended controls may be nearly singular at a vertex: a displacement that
 * is large at rest and invisible in its example would show in other poses.
 */
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

/** Damping as a fraction of the mean squared singular value. */
const DAMPING = 1e-3;

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
      solveDamped(frame, missing, details, 3 * i);
    }
    return details;
  });
}

/** (MᵀM + μI) d = Mᵀv, by the adjugate; zero where M vanishes. */
function solveDamped(m: Float64Array, v: Float64Array, out: Float32Array, at: number): void {
  const normal = (a: number, b: number) => m[a] * m[b] + m[4 + a] * m[4 + b] + m[8 + a] * m[8 + b];
  let [xx, yy, zz] = [normal(0, 0), normal(1, 1), normal(2, 2)];
  const [xy, xz, yz] = [normal(0, 1), normal(0, 2), normal(1, 2)];
  const damping = (DAMPING / 3) * (xx + yy + zz);
  if (!(damping > 0)) return;
  xx += damping;
  yy += damping;
  zz += damping;
  const [x, y, z] = [0, 1, 2].map((c) => m[c] * v[0] + m[4 + c] * v[1] + m[8 + c] * v[2]);
  const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const scale = 1 / (xx * a + xy * b + xz * c);
  out[at] = scale * (a * x + b * y + c * z);
  out[at + 1] = scale * (b * x + (xx * zz - xz * xz) * y + (xy * xz - xx * yz) * z);
  out[at + 2] = scale * (c * x + (xy * xz - xx * yz) * y + (xx * yy - xy * xy) * z);
}
