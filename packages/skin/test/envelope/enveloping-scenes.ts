/** Scenes that train and test a learnt skin, split as published, and the error of a skin on the held-out poses. */
import type { Numerics } from '@pelt/math';
import { type Envelope, type EnvelopingError, envelopingError, frameAt, poseAt } from '@pelt/model';
import { armScene, barScene, bendTwistScene, elbowScene, type Scene, shoulderScene } from '@pelt/testkit';
import { createEnvelopeDeformer } from '../../src/envelope/runtime/envelope-deformer.ts';

export interface EnvelopingCase {
  readonly scene: Scene;
  readonly train: readonly number[];
}

const every = (frames: number, step: number) => Array.from({ length: Math.ceil(frames / step) }, (_, k) => k * step);

export const CASES = {
  bar: (): EnvelopingCase => ({ scene: barScene({ frames: 53 }), train: [0, 26, 52] }),
  elbow: (): EnvelopingCase => ({ scene: elbowScene({ frames: 18 }), train: [0, 8, 17] }),
  arm: (): EnvelopingCase => ({ scene: armScene({ frames: 44 }), train: every(44, 11) }),
  'bend and twist': (): EnvelopingCase => ({ scene: bendTwistScene(), train: every(48, 5) }),
  shoulder: (): EnvelopingCase => ({ scene: shoulderScene(), train: every(110, 11) }),
};

/** The enveloping error over all frames that are not training frames. */
export function heldOutError(
  numerics: Numerics,
  envelope: Envelope,
  { scene, train }: EnvelopingCase,
): EnvelopingError {
  const frames = Array.from(scene.clip.times.keys()).filter((t) => !train.includes(t));
  return errorAt(numerics, envelope, scene, frames);
}

export function errorAt(
  numerics: Numerics,
  envelope: Envelope,
  { sequence, clip }: Scene,
  frames: readonly number[],
): EnvelopingError {
  const m = envelope.rig.bones.length;
  const size = envelope.rig.mesh.positions.length;
  const transforms = new Float64Array(frames.length * m * 12);
  const [truth, predicted] = [new Float32Array(frames.length * size), new Float32Array(frames.length * size)];
  const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
  frames.forEach((t, k) => {
    const pose = poseAt(clip, t, m).transforms;
    transforms.set(pose, k * m * 12);
    truth.set(frameAt(sequence, t), k * size);
    deformer.deform(pose, predicted.subarray(k * size, (k + 1) * size));
  });
  deformer.dispose();
  return envelopingError(envelope.rig.mesh.positions, transforms, truth, predicted);
}
