// @ts-check
/** The skins that the guide compares, learnt from four poses of the arm, on poses that did not train. */
import { envelopingError, frameAt, poseAt } from '@pelt/model';
import { createEnvelopeDeformer, deformLinear, trainAddedJoints, trainEnvelope } from '@pelt/skin';
import { armScene } from '@pelt/testkit';

const FRAMES = 44;
const TRAIN = [0, 11, 22, 33];

/**
 * @param {import('@pelt/math').Numerics} numerics
 */
export function armSkins(numerics) {
  const { rig, clip, sequence } = armScene({ frames: FRAMES });
  const run = { numerics };
  const learn = (/** @type {'ssd' | 'psd' | 'linear-maps'} */ method) => {
    const { envelope } = trainEnvelope({ rig, clip, sequence }, { frames: TRAIN, method }, run);
    const deformer = createEnvelopeDeformer(envelope, {}, run);
    return (/** @type {Float64Array} */ pose, /** @type {Float32Array} */ out) => deformer.deform(pose, out);
  };
  const added = trainAddedJoints({ rig, clip, sequence }, { frames: TRAIN }, run);
  const palette = new Float64Array(12 * added.rig.bones.length);
  const skins = [
    { name: 'plain skinning (SSD)', deform: learn('ssd') },
    {
      name: 'added joints (Mohr–Gleicher)',
      deform: (/** @type {Float64Array} */ pose, /** @type {Float32Array} */ out) =>
        deformLinear(added.rig.mesh.positions, added.rig.weights, added.joints.extend(pose, palette), out),
    },
    { name: 'pose space deformation', deform: learn('psd') },
    { name: 'learnt skin', deform: learn('linear-maps') },
  ];
  return { rig, clip, sequence, skins };
}

/**
 * The enveloping error of a skin over all poses that did not train.
 *
 * @param {ReturnType<typeof armSkins>} scene
 * @param {(pose: Float64Array, out: Float32Array) => unknown} deform
 */
export function errorOf({ rig, clip, sequence }, deform) {
  const frames = Array.from(clip.times.keys()).filter((t) => !TRAIN.includes(t));
  const m = rig.bones.length;
  const size = rig.mesh.positions.length;
  const transforms = new Float64Array(frames.length * m * 12);
  const truth = new Float32Array(frames.length * size);
  const predicted = new Float32Array(frames.length * size);
  frames.forEach((t, k) => {
    const pose = poseAt(clip, t, m).transforms;
    transforms.set(pose, k * m * 12);
    truth.set(frameAt(sequence, t), k * size);
    deform(pose, predicted.subarray(k * size, (k + 1) * size));
  });
  return envelopingError(rig.mesh.positions, transforms, truth, predicted);
}
