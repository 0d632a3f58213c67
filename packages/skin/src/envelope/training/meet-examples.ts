/** Displacements of a reduced skin, so that it meets the examples as the full one does. */
import type { Numerics } from '@pelt/math';
import type { Envelope, ReducedEnvelope } from '@pelt/model';
import { EnvelopeDeformer } from '../runtime/envelope-deformer.ts';
import { ReducedDeformer } from '../runtime/reduced-deformer.ts';
import { fitDisplacements } from './displacements.ts';

/** Displacements that take the reduced skin to the full one at its examples. */
export function meetExamples(
  numerics: Numerics,
  envelope: Envelope,
  reduced: ReducedEnvelope,
  examples: readonly Float64Array[],
): ReducedEnvelope['displacements'] {
  const full = new EnvelopeDeformer(numerics, envelope);
  const small = new ReducedDeformer(numerics, reduced);
  const size = envelope.rig.mesh.positions.length;
  try {
    const axes = nearestKeys(full, small, examples);
    const shapes = examples.map((pose) => full.deform(pose, new Float32Array(size)));
    const positions = new Float32Array(size);
    const fitted = fitDisplacements(shapes, envelope.rig.bones.length, (t) => {
      small.deform(examples[t], positions);
      return { joints: small.joints(), positions, frames: small.keyRotations(), axes };
    });
    return { ...fitted, axes };
  } finally {
    full.dispose();
    small.dispose();
  }
}

/** For every vertex the key gradient that turns most as its surroundings do over the examples. */
function nearestKeys(full: EnvelopeDeformer, small: ReducedDeformer, examples: readonly Float64Array[]): Uint16Array {
  const n = full.frames.length / 9;
  const L = small.envelope.keys.references.length;
  const likeness = new Float64Array(n * L);
  for (const pose of examples) {
    full.deformUncorrected(pose);
    small.proxies(pose);
    const rotations = small.keyRotations();
    for (let i = 0; i < n; i++) {
      for (let l = 0; l < L; l++) {
        for (let k = 0; k < 9; k++) likeness[i * L + l] += full.frames[9 * i + k] * rotations[9 * l + k];
      }
    }
  }
  return Uint16Array.from({ length: n }, (_, i) => {
    let best = 0;
    for (let l = 1; l < L; l++) if (likeness[i * L + l] > likeness[i * L + best]) best = l;
    return best;
  });
}
