/**
 * Measured clips, split by time: the frames before `until` train, those after it are rolled out and compared, with the
 * skeletons that are found in the clips. A single take of a few seconds is little to learn a motion from; no parameter was
 * chosen on these frames.
 */
import { readFileSync } from 'node:fs';
import { readObj, readPc2, sequenceFromCache } from '@pelt/io';
import { envelopingError, poseAt } from '@pelt/model';
import {
  createEnvelopeDeformer,
  createSwingDeformer,
  extractSkeleton,
  reduceEnvelope,
  SwingPlayer,
  trainDynamics,
  trainEnvelope,
} from '@pelt/skin';
import { crowdTimes } from './bounds.mjs';

const FPS = 24;
/** Every so many frames is an example of the pose-only skins. */
const STEP = 8;

export const CLIPS = [
  { name: 'samba, split by time', data: 'samba', frames: 175, until: 117 },
  { name: 'jumping, split by time', data: 'jumping', frames: 150, until: 100 },
];

export function measureClip(context, { name, data, frames, until }, run) {
  const rest = readObj(readFileSync(context.data(`${data}/rest.obj`)), { name: data });
  const cache = readPc2(readFileSync(context.data(`${data}/clip.pc2`)), { name: data, fps: FPS });
  const whole = sequenceFromCache(rest, cache);
  const size = rest.positions.length;
  const part = (from, to) => ({
    frames: whole.frames.slice(from * size, to * size),
    times: whole.times.slice(0, to - from),
  });
  const { rig, clip } = extractSkeleton({ ...whole, ...part(0, frames) }, {}, run);
  const m = rig.bones.length;
  const sequence = { ...whole, ...part(0, frames), rest: rig.mesh };
  const poses = clip.transforms.slice(until * 12 * m);
  /** Per cent, over the frames that did not train. */
  const errorOf = (play) => {
    const out = new Float32Array(frames * size);
    for (let t = 0; t < frames; t++) play(poseAt(clip, t, m).transforms, out.subarray(t * size, (t + 1) * size), t);
    const later = [whole.frames.slice(until * size, frames * size), out.slice(until * size)];
    return 100 * envelopingError(rest.positions, poses, ...later).error;
  };
  const examples = Array.from({ length: Math.ceil(until / STEP) }, (_, k) => STEP * k);
  const learn = (options) => trainEnvelope({ rig, clip, sequence }, { frames: examples, ...options }, run).envelope;
  const played = (envelope) => {
    const deformer = createEnvelopeDeformer(envelope, {}, run);
    const error = errorOf((pose, out) => deformer.deform(pose, out));
    deformer.dispose();
    return error;
  };
  const [psd, ssd] = [played(learn({ method: 'psd' })), played(learn({ method: 'ssd' }))];
  const { addedBlend: _, blendDisplacements: __, ...full } = learn({ correction: false });
  const envelope = reduceEnvelope(
    { envelope: full, poses: examples.map((t) => poseAt(clip, t, m).transforms) },
    { correction: false },
    run,
  );
  const take = {
    clip: { ...clip, times: clip.times.slice(0, until), transforms: clip.transforms.slice(0, until * 12 * m) },
    sequence: { ...sequence, ...part(0, until) },
  };
  const swung = (method) => {
    const trained = trainDynamics({ envelope, takes: [take] }, { method }, run);
    const deformer = createSwingDeformer(trained, {}, run);
    const error = errorOf((pose, out, t) => deformer.deform(pose, t > 0 ? 1 / FPS : 0, out));
    deformer.dispose();
    return { error, trained };
  };
  const [swinging, posed] = [swung('auto'), swung('none')];
  const crowd = crowdTimes(swinging.trained, take);
  const player = new SwingPlayer(swinging.trained.dynamics, rig.bones);
  const plain = (metric, value, unit, target) => ({ case: name, metric, value, unit, target });
  const row = (metric, value, reference, referenceName, target, unit = '%') => ({
    case: name,
    metric,
    value,
    unit,
    reference,
    referenceName,
    ...(target && { target }),
  });
  return [
    row(`enveloping error (${swinging.trained.method})`, swinging.error, psd, 'PSD', 'ratio <= 0.9'),
    row('enveloping error beside the pose alone', swinging.error, posed.error, 'pose alone'),
    row('enveloping error beside plain skinning', swinging.error, ssd, 'plain skinning'),
    row('palettes of a crowd of 100', crowd.with, crowd.without, 'without swing', 'ratio <= 1.3', 'ms'),
    plain('states', player.states, '', 'value <= 500'),
    plain('multiply-adds of an update', player.cost, '', 'value <= 25000'),
  ];
}
