/**
 * Secondary motion on takes that did not train, rolled out from rest, beside the same skin without swing, with the pose
 * alone, and with bones on springs that were tuned on the same takes.
 */
import { openNumerics } from '@pelt/math';
import { reduceEnvelope, SwingPlayer, trainDynamics, trainEnvelope } from '@pelt/skin';
import { swingScene } from '@pelt/testkit';
import { afterHolding, crowdTimes, largestSwing, withJumps } from './dynamics/bounds.mjs';
import { CLIPS, measureClip } from './dynamics/clips.mjs';
import { penetration, rmsOver, rollOut, velocityRms } from './dynamics/playing.mjs';
import { measurePoseOnly } from './dynamics/pose-only.mjs';
import { playSprings, tuneSprings } from './dynamics/spring-bones.mjs';

const KINDS = ['sway', 'turn', 'hop', 'walk'];
const POSE_ONLY = 'samba, every eighth frame';
const TAKE = { seconds: 4, fps: 30 };

/** Targets of the ratios to the still skin, to springs, to the pose alone. */
const CASES = [
  { name: 'belly', scene: 'belly', strength: 1, still: 0.1, springs: 0.2 },
  { name: 'tail, gentle', scene: 'tail', strength: 0.7, still: 0.25, springs: 0.4 },
  { name: 'tail, violent', scene: 'tail', strength: 1.6 },
  { name: 'ear', scene: 'ear', strength: 0.7 },
  { name: 'sleeve', scene: 'sleeve', strength: 0.7, still: 0.55, pose: 0.75 },
  { name: 'cape', scene: 'cape', strength: 0.7 },
];

export default {
  name: 'dynamics',
  needs: CLIPS.flatMap(({ data }) => [`${data}/rest.obj`, `${data}/clip.pc2`]),
  async run(context) {
    const numerics = await openNumerics({ threads: 1 });
    try {
      const rows = [];
      for (const task of CASES) {
        if (!context.wants(task.name)) continue;
        context.log(task.name);
        rows.push(...measure(task, { numerics }));
      }
      for (const clip of CLIPS) {
        if (!context.wants(clip.name)) continue;
        context.log(clip.name);
        rows.push(...measureClip(context, clip, { numerics }));
      }
      if (context.wants(POSE_ONLY)) {
        context.log(POSE_ONLY);
        rows.push(...(await measurePoseOnly(context, POSE_ONLY, { numerics })));
      }
      return rows;
    } finally {
      numerics.close();
    }
  },
};

function measure({ name, scene: part, strength, still, springs, pose }, run) {
  const scene = swingScene(part);
  const takesOf = (kinds, seed, options = TAKE, factor = 1) =>
    kinds.map((kind) => scene.take({ kind, seed, strength: factor * strength }, options));
  const takes = [...takesOf(KINDS, 1), ...takesOf(KINDS, 2)];
  const tests = takesOf(KINDS, 11);
  const { envelope: full } = trainEnvelope({ rig: scene.rig, ...takes[0] }, { method: 'ssd', frames: [0, 60] }, run);
  const envelope = reduceEnvelope({ envelope: { ...full, rig: scene.rig }, poses: [] }, {}, run);
  const started = process.cpuUsage();
  const contact = scene.capsules.length > 0 ? capsulesOf(scene.capsules) : 'auto';
  const trained = trainDynamics({ envelope, takes }, { contact }, run);
  const { user, system } = process.cpuUsage(started);
  const posed = trainDynamics({ envelope, takes }, { method: 'none' }, run);
  const row = (metric, value, unit, reference, referenceName, target) => ({
    case: name,
    metric,
    value,
    unit,
    ...(reference !== undefined && { reference, referenceName }),
    ...(target && { target }),
  });
  const atMost = (limit) => limit && `ratio <= ${limit}`;
  const swinging = (take) => rollOut(trained, take);
  const poseOnly = (take) => rollOut(posed, take);
  const error = rmsOver(tests, swinging);
  const stillError = rmsOver(tests, (take) => rollOut(trained, take, true));
  const poseError = rmsOver(tests, poseOnly);
  const tuned = tuneSprings((tried) => rmsOver(takes.slice(0, 4), (take) => playSprings(trained, take, tried)));
  const springError = rmsOver(tests, (take) => playSprings(trained, take, tuned));
  const fast = takesOf(['sway', 'turn', 'hop', 'walk'], 11, { seconds: 2, fps: 60 });
  const rates = [24, 60, 120].map((fps) => {
    const at = takesOf(['sway', 'hop'], 11, { seconds: 3, fps });
    return rmsOver(at, swinging) / rmsOver(at, (take) => rollOut(trained, take, true));
  });
  const base = takesOf(['sway', 'hop'], 11, { seconds: 3, fps: 30 });
  const ratio30 = rmsOver(base, swinging) / rmsOver(base, (take) => rollOut(trained, take, true));
  const unseen = takesOf(['shake'], 21, TAKE, 0.6);
  const player = new SwingPlayer(trained.dynamics, scene.rig.bones);
  const jumped = Math.max(...tests.map((take) => largestSwing(trained, withJumps(take))));
  const hurried = Math.max(...tests.map((take) => largestSwing(trained, take, 10)));
  const left = 100 * Math.max(...tests.map((take) => afterHolding(trained, take, 10)));
  const crowd = crowdTimes(trained, tests[0]);
  const truth = scene.modes()[0];
  const nearest = trained.poles.reduce(
    (best, { hertz }) => (Math.abs(hertz - truth.frequency) < Math.abs(best - truth.frequency) ? hertz : best),
    Number.POSITIVE_INFINITY,
  );
  return [
    row(`error (${trained.method})`, error, 'mm', stillError, 'still', atMost(still)),
    row('error beside the pose alone', error, 'mm', poseError, 'pose alone', atMost(pose)),
    row('error beside springs', error, 'mm', springError, 'springs', atMost(springs)),
    row(
      'velocity error',
      velocityRms(tests, swinging),
      'mm/s',
      velocityRms(tests, poseOnly),
      'pose alone',
      pose ? 'ratio <= 0.6' : undefined,
    ),
    row(
      'error, motion of an unseen kind',
      rmsOver(unseen, swinging),
      'mm',
      rmsOver(unseen, poseOnly),
      'pose alone',
      pose ? 'ratio <= 0.85' : undefined,
    ),
    row('error at twice the rate', rmsOver(fast, swinging), 'mm', rmsOver(fast, poseOnly), 'pose alone'),
    row(
      'largest change of the ratio to still, 24 to 120 fps',
      Math.max(...rates.map((rate) => Math.abs(rate - ratio30))),
      '',
      undefined,
      undefined,
      'value <= 0.1',
    ),
    ...(Number.isFinite(nearest) && truth.frequency > 1
      ? [row('frequency found', nearest, 'Hz', truth.frequency, 'lowest mode')]
      : []),
    ...contactRows(row, trained, scene, tests),
    row('largest amplitude after jumps, of the trained', jumped, '', undefined, undefined, 'value <= 2.5'),
    row('largest amplitude at ten times the speed, of the trained', hurried, '', undefined, undefined, 'value <= 2.5'),
    row('swing left after holding a pose', left, '%', undefined, undefined, 'value <= 1'),
    row('palettes of a crowd of 100', crowd.with, 'ms', crowd.without, 'without swing'),
    row('states', player.states, '', undefined, undefined, 'value <= 500'),
    row('multiply-adds of an update', player.cost, '', undefined, undefined, 'value <= 25000'),
    row('time of an update', updateTime(player, scene.rig, tests[0].clip), 'ms', undefined, undefined, 'value <= 0.1'),
    row('processor time of training', 1e-6 * (user + system), 's'),
  ];
}

function capsulesOf(capsules) {
  return {
    bones: Uint16Array.from(capsules, ({ bone }) => bone),
    shapes: Float64Array.from(capsules.flatMap(({ from, to, radius }) => [...from, ...to, radius])),
  };
}

/** How deep vertices are in the body, beside the same skin without contact. */
function contactRows(row, trained, scene, tests) {
  if (!trained.dynamics.contact) return [];
  const free = { ...trained, dynamics: { ...trained.dynamics, contact: undefined } };
  const depth = (skin) =>
    penetration(tests, (take) => rollOut(skin, take), capsulesOf(scene.capsules), scene.rig.bones.length);
  const simulated = penetration(
    tests,
    ({ sequence }) => sequence.frames,
    capsulesOf(scene.capsules),
    scene.rig.bones.length,
  );
  return [
    row('RMS depth in the body', depth(trained), 'mm', depth(free), 'without contact'),
    row('RMS depth in the body, simulated', simulated, 'mm'),
    row(
      'error beside no contact',
      rmsOver(tests, (take) => rollOut(trained, take)),
      'mm',
      rmsOver(tests, (take) => rollOut(free, take)),
      'without contact',
    ),
  ];
}

/** Median of batches, in milliseconds. */
function updateTime(player, rig, clip) {
  const size = 12 * rig.bones.length;
  const state = player.createState();
  const palette = new Float64Array(12 * (player.dynamics.bones.length + rig.bones.length));
  const times = [];
  for (let batch = 0; batch < 15; batch++) {
    const started = process.cpuUsage();
    for (let k = 0; k < 400; k++) {
      const t = k % clip.times.length;
      player.step(state, clip.transforms.subarray(t * size, (t + 1) * size), 1 / 30);
      player.apply(state, palette);
    }
    const { user, system } = process.cpuUsage(started);
    times.push((1e-3 * (user + system)) / 400);
  }
  return times.sort((a, b) => a - b)[7];
}
