/**
 * Sculpted sets without a rig, performed by captured people: pairs name the sculpts, the projection gives their blend. The
 * pairs are key poses of the clip with the sculpts in the order of their files: nobody has matched them, which is harder on
 * continuity than pairs that look alike.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readMotion, readObj, readPc2 } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { jointsAt } from '@pelt/model';
import { suggestKeyPoses } from '@pelt/skin';

const SETS = { horse: 'horse-poses', cat: 'cat-poses' };
const CLIPS = ['cmu-walk', 'cmu-run', 'cmu-jump', 'cmu-dance', 'cmu-49_06'];
const clipFile = (clip) => `motion/${clip}.bvh`;

export const needs = [...Object.values(SETS).map((set) => `${set}/rest.obj`), ...CLIPS.map(clipFile)];

export async function measure(context) {
  const rows = [];
  for (const [name, folder] of Object.entries(SETS)) {
    const wanted = CLIPS.filter((clip) => context.wants(titleOf(name, clip)));
    if (wanted.length === 0) continue;
    context.log(`${name} sculpts`);
    const poser = await learn(context, folder);
    for (const clip of wanted) rows.push(await measureOne(context, poser, clip, titleOf(name, clip)));
  }
  return rows;
}

const titleOf = (name, clip) => `${name} sculpts perform ${clip}`;

/** The pose space of the sculpts, saved, and how many there are. */
async function learn(context, folder) {
  const path = context.data(folder);
  const names = readdirSync(path).filter((name) => name.endsWith('.obj'));
  const entries = names.map((name) => [`sculpts/${name}`, readFileSync(`${path}/${name}`)]);
  const files = new MemoryFiles(Object.fromEntries(entries));
  const outputs = new MemoryOutputs();
  const options = { examples: ['sculpts'], save: 'poser.glb' };
  await runJob({ command: 'pose', inputs: ['sculpts/rest.obj'], options }, { files, outputs, threads: 1 });
  const { positions } = readObj(files.read('sculpts/rest.obj'), { name: folder });
  return { bytes: outputs.files.get('poser.glb'), count: names.length - 1, size: sizeOf(positions) };
}

async function measureOne(context, { bytes, count, size }, clip, title) {
  const capture = withoutFirst(readFileSync(context.data(clipFile(clip)), 'utf8'));
  const motion = readMotion(capture, { name: `${clip}.bvh` });
  const chosen = suggestKeyPoses(motion, { count: count + 1 });
  const pairs = chosen.map((t, k) => ({
    name: `pair ${k}`,
    performer: { time: motion.times[t] },
    character: { example: k === 0 ? 'rest' : String(k) },
  }));
  const document = { format: 'pelt-pairs', version: 1, pairs };
  const files = new MemoryFiles({
    'poser.glb': bytes,
    'clip.bvh': capture,
    'pairs.json': new TextEncoder().encode(JSON.stringify(document)),
  });
  const outputs = new MemoryOutputs();
  const options = { motion: 'clip.bvh', pairs: 'pairs.json' };
  const request = { command: 'puppet', inputs: ['poser.glb'], output: 'out.pc2', options };
  await runJob(request, { files, outputs, threads: 1 });
  const { frames, points, times: keys } = readPc2(outputs.files.get('out.pc2'));
  const S = keys.length;
  const shapes = Array.from({ length: S }, (_, t) => frames.subarray(3 * points * t, 3 * points * (t + 1)));
  // The keys that were written: the frames of the capture nearest to thirty a second.
  const { times } = motion;
  const span = (times.length - 1) / (S - 1);
  const performed = Array.from({ length: S }, (_, t) => jointsAt(motion, Math.round(t * span)));
  return {
    case: title,
    metric: `largest step of a vertex, ${pairs.length} pairs`,
    value: (100 * largestStep(shapes)) / size,
    unit: '% of the size',
    reference: (100 * largestStep(performed)) / sizeOf(jointsAt(motion, chosen[0])),
    referenceName: "the performer's joints",
    target: 'ratio <= 1.5',
  };
}

/** The captures begin with a frame of the T-pose, from where everything jumps to the motion. */
function withoutFirst(bvh) {
  const lines = bvh.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith('Frames:'));
  const count = Number(lines[at].replace(/\D+/, ''));
  const kept = [...lines.slice(0, at), `Frames: ${count - 1}`, lines[at + 1], ...lines.slice(at + 3)];
  return new TextEncoder().encode(kept.join('\n'));
}

/** Largest distance of a point between frames. */
function largestStep(frames) {
  let largest = 0;
  for (let t = 1; t < frames.length; t++) {
    const [a, b] = [frames[t - 1], frames[t]];
    for (let k = 0; k < a.length; k += 3) {
      largest = Math.max(largest, Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]));
    }
  }
  return largest;
}

/** Diagonal of the box. */
function sizeOf(positions) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value);
    high[k % 3] = Math.max(high[k % 3], value);
  });
  return Math.hypot(...high.map((value, c) => value - low[c]));
}
