/**
 * Learnt skin on poses that did not train: the enveloping error of every rival, what the reduction costs, the time of a
 * pose beside plain skinning, and the time of training.
 */
import { LinearBlend, openNumerics } from '@pelt/math';
import { envelopingError, frameAt, poseAt } from '@pelt/model';
import {
  deformLinear,
  EnvelopeDeformer,
  ReducedDeformer,
  reduceEnvelope,
  trainAddedJoints,
  trainEnvelope,
} from '@pelt/skin';
import { armScene, barScene, bendTwistScene, elbowScene, shoulderScene } from '@pelt/testkit';

const every = (frames, step) => Array.from({ length: Math.ceil(frames / step) }, (_, k) => k * step);

/** Targets in per cent without and with displacements; `proxies` where the reduced skin has a target. */
const CASES = [
  { name: 'bar', scene: () => barScene({ frames: 53 }), train: [0, 26, 52], targets: [4, 1] },
  { name: 'elbow', scene: () => elbowScene({ frames: 18 }), train: [0, 8, 17], targets: [7, 3], proxies: 30 },
  { name: 'arm', scene: () => armScene({ frames: 44 }), train: every(44, 11), targets: [7, 6], proxies: 30 },
  { name: 'bend and twist', scene: () => bendTwistScene(), train: every(48, 5), targets: [6, 5] },
  { name: 'shoulder', scene: () => shoulderScene(), train: every(110, 11), targets: [20, 7], proxies: 60 },
];

export default {
  name: 'envelope',
  needs: [],
  async run(context) {
    const numerics = await openNumerics({ threads: 2 });
    try {
      const rows = [];
      for (const task of CASES) {
        context.log(task.name);
        rows.push(...errors(numerics, task));
      }
      context.log('time of a pose');
      rows.push(...poseTime(context, numerics));
      context.log('time of training');
      rows.push(trainingTime(numerics));
      return rows;
    } finally {
      numerics.close();
    }
  },
};

function errors(numerics, { name, scene: make, train, targets, proxies }) {
  const scene = make();
  const { rig, clip, sequence } = scene;
  const m = rig.bones.length;
  const learn = (options) => trainEnvelope(rig, clip, sequence, numerics, train, options).envelope;
  const played = (deformer) => measured(scene, train, (pose, out) => deformer.deform(pose, out));
  const of = (options) => played(new EnvelopeDeformer(numerics, learn(options)));
  const plainly = { correction: false, pull: 0, heldShare: 0, fallback: false };
  const bare = learn(plainly);
  const plain = played(new EnvelopeDeformer(numerics, bare));
  const ours = of({});
  const ssd = of({ method: 'ssd' });
  const psd = of({ method: 'psd' });
  const thesis = of({ ...plainly, method: 'thesis' });
  const added = trainAddedJoints(rig, clip, sequence, numerics, train);
  const mohr = measured(scene, train, (pose, out) =>
    deformLinear(added.rig.mesh.positions, added.rig.weights, added.joints.extend(pose), out),
  );
  const row = (metric, value, reference, referenceName, target) => ({
    case: name,
    metric,
    value: 100 * value,
    unit: '%',
    ...(reference !== undefined && { reference: 100 * reference, referenceName }),
    ...(target && { target }),
  });
  const rows = [
    row('error without displacements', plain.error, ssd.error, 'SSD', `value <= ${targets[0]}`),
    row('error', ours.error, undefined, undefined, `value <= ${targets[1]}`),
    row('error beside SSD', ours.error, ssd.error, 'SSD', 'ratio <= 1'),
    row('error beside added joints', ours.error, mohr.error, 'Mohr–Gleicher', 'ratio <= 1'),
    row('error beside PSD', ours.error, psd.error, 'PSD', 'ratio <= 1.05'),
    row('spread (p95) beside SSD', ours.p95, ssd.p95, 'SSD', 'ratio <= 1'),
    row('spread (p95) beside added joints', ours.p95, mohr.p95, 'Mohr–Gleicher', 'ratio <= 1'),
    row('error of the thesis form', thesis.error, ssd.error, 'SSD', 'ratio <= 1'),
  ];
  if (proxies) {
    const poses = train.map((t) => poseAt(clip, t, m).transforms);
    const reduced = played(new ReducedDeformer(numerics, reduceEnvelope(bare, poses, numerics, { proxies })));
    rows.push(row(`error with ${proxies} proxies`, reduced.error, plain.error, 'full skin', 'ratio <= 1.15'));
  }
  return rows;
}

function measured({ rig, clip, sequence }, train, deform) {
  const m = rig.bones.length;
  const size = rig.mesh.positions.length;
  const frames = Array.from(clip.times.keys()).filter((t) => !train.includes(t));
  const transforms = new Float64Array(frames.length * m * 12);
  const [truth, predicted] = [new Float32Array(frames.length * size), new Float32Array(frames.length * size)];
  frames.forEach((t, k) => {
    const pose = poseAt(clip, t, m).transforms;
    transforms.set(pose, k * m * 12);
    truth.set(frameAt(sequence, t), k * size);
    deform(pose, predicted.subarray(k * size, (k + 1) * size));
  });
  return envelopingError(rig.mesh.positions, transforms, truth, predicted);
}

/** 25k vertices, 60 proxies and as many keys, beside linear blending with four weights of the same mesh. */
function poseTime(context, numerics) {
  const { rig, clip, sequence } = elbowScene({ frames: 5, rings: 313, sides: 80 });
  const train = [0, 2, 4];
  const options = { correction: false, pull: 0, heldShare: 0, fallback: false };
  const { envelope } = trainEnvelope(rig, clip, sequence, numerics, train, options);
  const poses = train.map((t) => poseAt(clip, t, 2).transforms);
  const reduced = reduceEnvelope(envelope, poses, numerics, { proxies: 60, keys: 60, samples: 12 });
  const deformer = new ReducedDeformer(numerics, reduced);
  const size = rig.mesh.positions.length;
  const n = size / 3;
  const out = new Float32Array(size);
  const bones = Uint16Array.from({ length: 4 * n }, (_, k) => (k * 7) % 60);
  const weights = new Float32Array(4 * n).fill(0.25);
  const blend = new LinearBlend(numerics, rig.mesh.positions, bones, weights, 60);
  const palette = deformer.proxies(poses[1]).slice(0, 60 * 12);
  const { value, reference } = context.compareTimes(
    () => deformer.deform(poses[1], out),
    () => out.set(blend.pose(palette)),
  );
  const times = { value, unit: 'ms', reference, referenceName: 'linear blending', target: 'ratio <= 1.5' };
  return [{ case: `${n} vertices, 60 proxies`, metric: 'one pose', ...times }];
}

function trainingTime(numerics) {
  const { rig, clip, sequence } = elbowScene({ frames: 20, rings: 200, sides: 50 });
  const start = performance.now();
  trainEnvelope(rig, clip, sequence, numerics);
  const value = (performance.now() - start) / 1000;
  return {
    case: `${rig.mesh.positions.length / 3} vertices, 20 poses`,
    metric: 'training',
    value,
    unit: 's',
    target: 'value <= 20',
  };
}
