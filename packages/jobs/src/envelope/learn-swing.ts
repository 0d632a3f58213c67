/** A skin that swings: a pose-only skin learnt from few examples, then its secondary motion from all frames. */
import {
  type Clip,
  frameCount,
  type MeshSequence,
  poseAt,
  type Run,
  stageOf,
  TRANSFORM_SIZE,
  UsageError,
} from '@pelt/model';
import { createSwingDeformer, type SwingDeformer, type TrainedDynamics, trainDynamics } from '@pelt/skin/dynamics';
import { type EnvelopeMethod, reduceEnvelope, trainEnvelope } from '@pelt/skin/envelope';
import type { Values } from '../request/table.ts';
import { bakeSwing } from './bake-swing.ts';
import { bakedRig, type Examples, encodeBakedClips, encodeLearnt } from './encode-envelope.ts';
import type { LearntSkin } from './learn-skin.ts';
import type { LoadedExamples } from './load-examples.ts';
import { spreadPoses } from './spread-poses.ts';
import { partsOf, type SwingReport } from './swing-report.ts';
import type { ENVELOPE } from './table.ts';

/** Most examples of the pose-only skin, as different as the frames allow. */
const MOST_EXAMPLES = 24;
/** Frames that a take has at least. */
const LEAST_FRAMES = 4;
/** A gain over the pose alone below this is said to be small. */
const SMALL_GAIN = 0.15;

export function learnSwing(
  { weights, dynamics: method, reduce, proxies, maxError, bake }: Values<typeof ENVELOPE>,
  predictor: EnvelopeMethod,
  loaded: LoadedExamples,
  train: readonly number[],
  run: Run,
  warn: (message: string) => void,
): LearntSkin {
  const { rig, clip, sequence } = loaded;
  const m = rig.bones.length;
  const takes = takesOf(loaded, train);
  if (takes.length === 0) {
    throw new UsageError(
      `--dynamics needs frames that follow each other, ${LEAST_FRAMES} or more; give them to --train`,
    );
  }
  const frames = spreadPoses(clip, m, train, MOST_EXAMPLES);
  // Displacements would meet the examples exactly, swing and all: nothing would be left to learn.
  const { envelope: full } = trainEnvelope(
    loaded,
    { method: predictor, frames, weights, correction: false },
    stageOf(run, 0.05, 0.5),
  );
  const { addedBlend: _, blendDisplacements: __, ...plain } = full;
  const poses = frames.map((t) => poseAt(clip, t, m).transforms);
  const envelope = reduceEnvelope(
    { envelope: full.addedBlend ? plain : full, poses },
    { method: reduce, proxies, mostProxies: proxies, maxError, weights, correction: false },
    stageOf(run, 0.5, 0.7),
  );
  const trained = trainDynamics(
    { envelope, takes },
    { method, weights, ...(proxies && { proxies }) },
    stageOf(run, 0.7, 0.95),
  );
  const deformer = createSwingDeformer(trained, {}, run);
  const played = { still: roll(trained, loaded, run, 0), swinging: roll(trained, loaded, run, 1) };
  const report = reportOf(trained, deformer, loaded, played);
  if (report.method !== 'none' && report.overPoseOnly > 1 - SMALL_GAIN) {
    warn(
      `secondary motion helps little: frames left out are missed by ${(100 * report.overPoseOnly).toFixed(0)} % of what the pose alone misses`,
    );
  }
  const size = sequence.rest.positions.length;
  return {
    report: {
      proxies: trained.envelope.proxies,
      keys: trained.envelope.keys.references.length,
      displacements: 0,
      weightsPerVertex: trained.envelope.skin.slots,
      playedBy: bake ? 'any' : 'pelt',
      choice: undefined,
      dynamics: report,
    },
    dynamics: trained.dynamics,
    deform: (_pose, out, t) => out.set(played.swinging.subarray(t * size, (t + 1) * size)),
    encode: (opened, onWarning) =>
      bake
        ? encodeBakedClips(bakedRig(trained.envelope), bakeSwing(deformer, opened.character.clips), opened, onWarning)
        : encodeLearnt(trained.envelope, opened, onWarning, trained.dynamics),
    dispose: () => deformer.dispose(),
  };
}

/** Runs of training frames that follow each other within one clip of the examples. */
function takesOf({ clip, sequence, spans, rig }: LoadedExamples, train: readonly number[]) {
  const chosen = new Set(train);
  const takes: { clip: Clip; sequence: MeshSequence }[] = [];
  let first = 0;
  for (const count of spans) {
    for (let t = first; t < first + count; ) {
      let end = t;
      while (end < first + count && chosen.has(end)) end++;
      if (end - t >= LEAST_FRAMES) takes.push(partOf(clip, sequence, t, end, rig.bones.length));
      t = Math.max(end, t + 1);
    }
    first += count;
  }
  return takes;
}

function partOf(clip: Clip, sequence: MeshSequence, from: number, to: number, m: number) {
  const times = clip.times.slice(from, to).map((time) => time - clip.times[from]);
  const size = sequence.rest.positions.length;
  const name = `${clip.name} ${from + 1}–${to}`;
  return {
    clip: { name, times, transforms: clip.transforms.slice(from * TRANSFORM_SIZE * m, to * TRANSFORM_SIZE * m) },
    sequence: { name, rest: sequence.rest, frames: sequence.frames.slice(from * size, to * size), times },
  };
}

/** All frames of the examples, each clip from rest; S × n × 3. */
function roll(
  trained: TrainedDynamics,
  { clip, sequence, spans, rig }: LoadedExamples,
  run: Run,
  gain: number,
): Float32Array {
  const size = sequence.rest.positions.length;
  const out = new Float32Array(frameCount(sequence) * size);
  const deformer = createSwingDeformer(trained, { gain }, run);
  let t = 0;
  for (const count of spans) {
    deformer.reset();
    for (let k = 0; k < count; k++, t++) {
      const dt = k > 0 ? clip.times[t] - clip.times[t - 1] : 0;
      deformer.deform(poseAt(clip, t, rig.bones.length).transforms, dt, out.subarray(t * size, (t + 1) * size));
    }
  }
  deformer.dispose();
  return out;
}

function reportOf(
  { method, poles, leftOut, dynamics }: TrainedDynamics,
  { player }: SwingDeformer,
  { rig, sequence }: Examples,
  played: { readonly still: Float32Array; readonly swinging: Float32Array },
): SwingReport {
  return {
    method,
    poles,
    modes: dynamics.limits.length,
    drivers: Array.from(dynamics.drivers, (j) => rig.bones[j].name),
    states: player.states,
    multiplyAdds: player.cost,
    leftOut,
    overPoseOnly: (leftOut[method] ?? 0) / (leftOut.none || 1),
    parts: partsOf(rig, sequence, played),
  };
}
