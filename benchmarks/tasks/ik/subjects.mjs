/** What poses are learnt from: animals with their examples, and the clips that frames to be reached come from. */
import { readFileSync } from 'node:fs';
import { readObj, readPc2, sequenceFromCache } from '@pelt/io';
import { frameAt, frameCount } from '@pelt/model';
import { buildPoser, decompose } from '@pelt/skin';

export const PROXIES = 500;
const POSES = { horse: 10, cat: 9, lion: 9 };

export const needs = [
  ...Object.entries(POSES).flatMap(([name, count]) => [
    `${name}-poses/rest.obj`,
    ...Array.from({ length: count }, (_, k) => poseFile(name, k)),
  ]),
  ...['horse-gallop', 'elephant-gallop', 'samba', 'jumping'].flatMap((name) => [
    `${name}/rest.obj`,
    `${name}/clip.pc2`,
  ]),
];

/** `most`: distortion in % with gradients of the model and of the meshes; `published`: that of Der 2006. */
export const SUBJECTS = {
  horse: { controls: 33, most: [0.5, 2], published: 3, load: loadHorse },
  elephant: { controls: 23, most: [0.6, 3.5], published: 5.46, load: loadElephant },
  cat: { controls: 33, most: [], load: (context) => ({ examples: posesOf(context, 'cat') }) },
  lion: { controls: 33, most: [], load: (context) => ({ examples: posesOf(context, 'lion') }) },
};

/** What poses are learnt from, each made once and only where a wanted case needs it. */
export class Subjects {
  #context;
  #numerics;
  #made = new Map();

  constructor(context, numerics) {
    this.#context = context;
    this.#numerics = numerics;
  }

  /** The model, also without mirrored examples (`plain`), and its examples; a clip, with one frame that is no example, where there is one. */
  get(name) {
    if (!this.#made.has(name)) {
      this.#context.log(`${name}: learning`);
      const { examples, clip } = SUBJECTS[name].load(this.#context);
      const model = learn(examples, SUBJECTS[name].controls, this.#numerics);
      const plain = buildPoser({ rig: model.rig, clip: model.motion, examples }, { proxies: PROXIES });
      this.#made.set(name, { ...model, plain, examples, clip, truth: clip && frameAt(clip, 20) });
    }
    return this.#made.get(name);
  }
}

function poseFile(name, k) {
  return `${name}-poses/pose-${String(k + 1).padStart(2, '0')}.obj`;
}

export function posesOf(context, name) {
  const read = (file) => readObj(readFileSync(context.data(file)), { name: file });
  const rest = read(`${name}-poses/rest.obj`);
  return join(
    { name, rest, frames: new Float32Array(0), times: new Float64Array(0) },
    Array.from({ length: POSES[name] }, (_, k) => read(poseFile(name, k)).positions),
  );
}

export function clipOf(context, name) {
  const rest = readObj(readFileSync(context.data(`${name}/rest.obj`)), { name });
  return sequenceFromCache(rest, readPc2(readFileSync(context.data(`${name}/clip.pc2`)), { name, fps: 24 }));
}

function loadHorse(context) {
  const clip = clipOf(context, 'horse-gallop');
  const frames = [10, 30].map((t) => frameAt(clip, t));
  return { examples: join(posesOf(context, 'horse'), frames), clip };
}

function loadElephant(context) {
  const clip = clipOf(context, 'elephant-gallop');
  return { examples: pick(clip, evenly(frameCount(clip), 11)), clip };
}

/** A sequence with more frames behind its own. */
function join(sequence, more) {
  const size = sequence.rest.positions.length;
  const S = sequence.times.length;
  const frames = new Float32Array(size * (S + more.length));
  frames.set(sequence.frames);
  more.forEach((positions, k) => {
    frames.set(positions, size * (S + k));
  });
  return { ...sequence, frames, times: Float64Array.from({ length: S + more.length }, (_, t) => t) };
}

export function pick(sequence, numbers) {
  const none = { ...sequence, frames: new Float32Array(0), times: new Float64Array(0) };
  return join(
    none,
    numbers.map((t) => frameAt(sequence, t)),
  );
}

/** Each frame left out in turn: the others as examples, and the frame alone as a clip. */
export function leftOut(sequence) {
  const S = frameCount(sequence);
  const all = Array.from({ length: S }, (_, t) => t);
  return all.map((t) => ({
    examples: pick(
      sequence,
      all.filter((other) => other !== t),
    ),
    clip: pick(sequence, [t]),
  }));
}

export function evenly(S, count) {
  return Array.from({ length: count }, (_, k) => Math.round((k * (S - 1)) / (count - 1)));
}

export function learn(examples, controls, numerics) {
  // Mirrored where the mesh is symmetric, as the command does.
  const options = { method: 'affine', bones: controls, weights: 4, restPose: 'keep' };
  const { rig, clip } = decompose(examples, options, { numerics });
  return { rig, motion: clip, poser: buildPoser({ rig, clip, examples }, { proxies: PROXIES, mirror: true }) };
}

export function handlesOn(positions, vertices) {
  return vertices.map((vertex) => ({ vertex, target: Array.from(positions.subarray(3 * vertex, 3 * vertex + 3)) }));
}

export function distance(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt((3 * sum) / a.length);
}
