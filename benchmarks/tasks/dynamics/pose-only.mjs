/**
 * The pose-only skin under the swing: a captured dancer, of whom every eighth frame trains, beside pose space deformation
 * and plain skinning with the same bones: error on the other frames, time of training, bytes of the packed file.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readObj, readPc2, sequenceFromCache, writeSkinnedGlb } from '@pelt/io';
import { envelopingError, poseAt } from '@pelt/model';
import {
  createEnvelopeDeformer,
  createReducedDeformer,
  extractSkeleton,
  reduceEnvelope,
  trainEnvelope,
} from '@pelt/skin';
import { peltOf, runCommand } from '../../harness/run-command.mjs';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const FPS = 24;
const STEP = 8;
const FRAMES = 175;

export async function measurePoseOnly(context, name, run) {
  const paths = ['samba/rest.obj', 'samba/clip.pc2'].map((path) => context.data(path));
  const rest = readObj(readFileSync(paths[0]), { name: 'samba' });
  const whole = sequenceFromCache(rest, readPc2(readFileSync(paths[1]), { name: 'samba', fps: FPS }));
  const size = rest.positions.length;
  const shown = { ...whole, frames: whole.frames.slice(0, FRAMES * size), times: whole.times.slice(0, FRAMES) };
  const { rig, clip } = extractSkeleton(shown, {}, run);
  const m = rig.bones.length;
  const sequence = { ...shown, rest: rig.mesh };
  const frames = Array.from({ length: Math.ceil(FRAMES / STEP) }, (_, k) => STEP * k);
  const others = Array.from({ length: FRAMES }, (_, t) => t).filter((t) => t % STEP > 0);
  const poses = others.map((t) => poseAt(clip, t, m).transforms);
  const truth = joined(others.map((t) => sequence.frames.subarray(t * size, (t + 1) * size)));
  const errorOf = (deformer) => {
    const played = joined(poses.map((pose) => deformer.deform(pose, new Float32Array(size))));
    deformer.dispose();
    return 100 * envelopingError(rest.positions, joined(poses), truth, played).error;
  };
  const timed = (train) => {
    const started = process.cpuUsage();
    const result = train();
    const { user, system } = process.cpuUsage(started);
    return { result, seconds: 1e-6 * (user + system) };
  };
  const learn = (options) => trainEnvelope({ rig, clip, sequence }, { frames, ...options }, run);
  const reduced = timed(() =>
    reduceEnvelope({ ...learn({}), poses: frames.map((t) => poseAt(clip, t, m).transforms) }, {}, run),
  );
  const psd = timed(() => learn({ method: 'psd' }).envelope);
  const ssd = learn({ method: 'ssd' }).envelope;
  const [error, psdError, ssdError] = [
    errorOf(createReducedDeformer(reduced.result, {}, run)),
    errorOf(createEnvelopeDeformer(psd.result, {}, run)),
    errorOf(createEnvelopeDeformer(ssd, {}, run)),
  ];
  const bytes = await packedBytes({ rig, clip, paths, frames });
  const beside = (metric, value, unit, reference, referenceName, target) => ({
    case: name,
    metric,
    value,
    unit,
    reference,
    referenceName,
    ...(target && { target }),
  });
  return [
    beside('enveloping error', error, '%', psdError, 'PSD'),
    beside('enveloping error beside plain skinning', error, '%', ssdError, 'plain skinning'),
    beside('processor time of training', reduced.seconds, 's', psd.seconds, 'PSD', 'value <= 12'),
    beside('packed file', bytes.learnt, 'B', bytes.plain, 'plain skinning, packed', 'ratio <= 1.3'),
  ];
}

/** Of the learnt skin and of the rig itself, with all frames of the clip, as the command writes them. */
async function packedBytes({ rig, clip, paths, frames }) {
  const folder = mkdtempSync(join(tmpdir(), 'pelt-bench-'));
  const at = (file) => join(folder, file);
  try {
    writeFileSync(at('rig.glb'), (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
    const pelt = peltOf(CHECKOUT);
    const train = frames.map((t) => t + 1).join(',');
    const packed = ['--compress', 'meshopt', '-o'];
    runCommand([...pelt, 'envelope', at('rig.glb'), ...paths, '--train', train, ...packed, at('learnt.glb')]);
    runCommand([...pelt, 'convert', at('rig.glb'), ...packed, at('plain.glb')]);
    return { learnt: statSync(at('learnt.glb')).size, plain: statSync(at('plain.glb')).size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function joined(parts) {
  const out = new parts[0].constructor(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
