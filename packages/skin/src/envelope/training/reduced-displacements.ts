/** The principal ones of the displacements that take a reduced skin to the full one at the training examples. */
import { gemm, matrixOf, transposed } from '@pelt/math';
import { checkCancelled, type Envelope, type ReducedEnvelope, type Run } from '@pelt/model';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { ReducedDeformer } from '../runtime/reduced-deformer.ts';
import { fitDisplacements } from './displacements.ts';
import { principalDisplacements } from './principal-displacements.ts';

/** Most key gradients whose axes are used: each takes a polar decomposition per pose. */
const MOST_AXES = 48;

/**
 * @param envelope   without welded seams
 * @param poses      m × 12 each, of the training examples
 * @param tolerance  RMS distance that they may be off at the examples, relative to the model's size
 * @returns undefined where none are needed
 */
export function reducedDisplacements(
  envelope: Envelope,
  reduced: ReducedEnvelope,
  poses: readonly Float64Array[],
  tolerance: number,
  run: Run,
): ReducedEnvelope['displacements'] {
  const full = new EnvelopeDeformer(envelope, run);
  const small = new ReducedDeformer(reduced, run);
  const size = envelope.rig.mesh.positions.length;
  try {
    const axes = nearestKeys(full, small, poses, run);
    const shapes = poses.map((pose) => {
      checkCancelled(run);
      return full.deform(pose, new Float32Array(size));
    });
    const positions = new Float32Array(size);
    const skinAt = (t: number) => {
      small.deform(poses[t], positions);
      return { joints: small.palette.joints, positions, frames: small.palette.keyRotations(), axes };
    };
    const each = fitDisplacements(shapes, envelope.rig.bones.length, skinAt, run);
    const principal = principalDisplacements(each, envelope.rig.mesh.positions, tolerance, run);
    return principal && { ...principal, axes };
  } finally {
    full.dispose();
    small.dispose();
  }
}

/** For every vertex the key gradient, among the most popular, whose rotations are most similar to those there. */
function nearestKeys(
  full: EnvelopeDeformer,
  small: ReducedDeformer,
  poses: readonly Float64Array[],
  run: Run,
): Uint16Array {
  const n = full.frames.length / 9;
  const L = small.envelope.keys.references.length;
  const similarity = similarities(full, small, poses, run);
  const nearest = (i: number, among: readonly number[]) =>
    among.reduce((best, l) => (similarity[i * L + l] > similarity[i * L + best] ? l : best));
  const votes = new Uint32Array(L);
  const keys = Array.from(votes.keys());
  for (let i = 0; i < n; i++) votes[nearest(i, keys)]++;
  const kept = keys.sort((a, b) => votes[b] - votes[a] || a - b).slice(0, MOST_AXES);
  return Uint16Array.from({ length: n }, (_, i) => nearest(i, kept));
}

/** n × L sums over the poses of tr(Fᵀ R), of the frame at each vertex and the rotation of each key. */
function similarities(
  full: EnvelopeDeformer,
  small: ReducedDeformer,
  poses: readonly Float64Array[],
  run: Run,
): Float64Array {
  const n = full.frames.length / 9;
  const L = small.envelope.keys.references.length;
  const scope = run.numerics.scope();
  try {
    const [frames, rotations, sums] = [scope.f64(9 * n), scope.f64(9 * L), scope.f64(n * L)];
    sums.view.fill(0);
    for (const pose of poses) {
      checkCancelled(run);
      full.deformUncorrected(pose);
      small.palette.update(pose);
      frames.view.set(full.frames);
      rotations.view.set(small.palette.keyRotations());
      gemm(run.numerics, 1, matrixOf(frames, n, 9), transposed(matrixOf(rotations, L, 9)), 1, matrixOf(sums, n, L));
    }
    return sums.view.slice();
  } finally {
    scope.dispose();
  }
}
