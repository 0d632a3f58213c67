// @ts-check
/**
 * The examples of the gallery, generated: every one as the files that a user would have, and the first one with its fit,
 * so that the page opens on a result.
 */
import { skeletonFromClip, writeBvh, writeMorphGlb, writeObj, writePairs, writePc2, writeSkinnedGlb } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { poseFromJoints } from '@pelt/model';
import { pairsToDocument } from '@pelt/skin/puppet';
import {
  armScene,
  chainScene,
  creatureScene,
  dogCharacter,
  elbowScene,
  faceShapes,
  PERFORMER_BONES,
  PERFORMER_POSES,
  shoulderScene,
} from '@pelt/testkit';

const FPS = 30;

/** @type {{ name: string, title: string, text: string, mode: string, rigged?: true, scene: (scale: number) => import('@pelt/testkit').Scene }[]} */
const EXAMPLES = [
  {
    name: 'creature',
    title: 'Walking creature',
    text: 'A walk cycle without a rig. Fit bones to it, or find its skeleton.',
    mode: 'fit',
    scene: (scale) => creatureScene({ detail: 0.036 * scale, frames: 48, fps: FPS }),
  },
  {
    name: 'arm',
    title: 'Arm with muscles',
    text: 'Bends, twists and bulges: more than a few rigid bones can show.',
    mode: 'fit',
    scene: () => armScene({ fps: FPS }),
  },
  {
    name: 'chain',
    title: 'Chain of joints',
    text: 'Two hinges and two ball joints, to be found from the motion alone.',
    mode: 'skeleton',
    scene: () => chainScene({ joints: ['hinge', 'ball', 'hinge', 'ball'], frames: 40 }),
  },
  {
    name: 'shoulder',
    title: 'Shoulder with its joints',
    text: 'A muscle that bulges with the raise. Learn its skin from some poses, try it on the others.',
    mode: 'skin',
    rigged: true,
    scene: (scale) =>
      shoulderScene({ frames: 40, fps: FPS, rings: Math.round(41 / scale), sides: Math.round(20 / scale) }),
  },
  {
    name: 'jointed',
    title: 'Creature with its joints',
    text: 'Rigged as it was made. Turn its joints as those of a solid body, beside plain skinning.',
    mode: 'volume',
    rigged: true,
    scene: (scale) => creatureScene({ detail: 0.05 * scale, frames: 24, fps: FPS }),
  },
  {
    name: 'elbow',
    title: 'Bending elbow',
    text: 'Rigged, with wide weights: what is left of it with two per vertex, or in ten kilobytes?',
    mode: 'reduce',
    rigged: true,
    scene: () => elbowScene({ frames: 25, radius: 0.13 }),
  },
];
/** A character with what it needs to be played. */
const PUPPET = {
  name: 'dog',
  title: 'Dog and its player',
  text: 'A person’s recorded motion, and pairs of poses that say what the dog does then.',
  mode: 'puppet',
  fps: FPS,
  inputs: ['dog.glb'],
  puppet: ['me.bvh', 'dog.json'],
};
/** Blend shapes with names, to be fitted as sliders. */
const FACE = {
  name: 'face',
  title: 'Face with sliders',
  text: 'Blend shapes as a face comes with. Fit bones that follow the same sliders, and try each beside the original.',
  mode: 'face',
  fps: FPS,
  inputs: ['face.glb'],
};
/** The example that is opened first, with the options of its fit as the panel would give them. */
const FIRST = { name: 'creature', options: { fps: FPS, method: /** @type {const} */ ('ssdr'), bones: 12, weights: 4 } };

/**
 * @param {number} [scale]  of edge lengths: above 1 for coarser examples that are ready sooner
 * @returns {Promise<Map<string, Uint8Array | string>>} by name
 */
export async function exampleFiles(scale = 1) {
  /** @type {Map<string, Uint8Array | string>} */
  const made = new Map();
  for (const { name, scene, rigged } of EXAMPLES) {
    const { sequence, rig, clip } = scene(scale);
    if (rigged) made.set(`${name}.glb`, (await writeSkinnedGlb({ rig, clips: [clip] })).bytes);
    made.set(`${name}.obj`, new Uint8Array(writeObj(sequence.rest, { name: `${name}.obj` })[0].bytes));
    made.set(`${name}.pc2`, new Uint8Array(writePc2(sequence, { fps: FPS })));
  }
  const inputs = [`${FIRST.name}.obj`, `${FIRST.name}.pc2`];
  const files = new MemoryFiles(inputs.map((path) => [path, /** @type {Uint8Array<ArrayBuffer>} */ (made.get(path))]));
  const outputs = new MemoryOutputs();
  const output = `${FIRST.name}-fitted.glb`;
  await runJob({ command: 'fit', inputs, output, options: FIRST.options }, { files, outputs, threads: 2 });
  for (const [path, bytes] of outputs.files) made.set(path, bytes);
  const index = EXAMPLES.map(({ name, title, text, mode, rigged }) => ({
    name,
    title,
    text,
    mode,
    fps: FPS,
    ...(rigged && { rig: `${name}.glb` }),
    ...(name === FIRST.name && { rig: output, options: FIRST.options }),
  }));
  for (const [path, bytes] of await dogFiles(scale)) made.set(path, bytes);
  made.set('face.glb', await faceFile(scale));
  return made.set('index.json', `${JSON.stringify([...index, PUPPET, FACE], null, 2)}\n`);
}

/**
 * A made face with a morph target for each slider, by name.
 *
 * @param {number} scale
 * @returns {Promise<Uint8Array>}
 */
async function faceFile(scale) {
  const { mesh, names, shapes } = faceShapes({ step: 0.008 * scale });
  const times = Float64Array.from(names, (_, s) => s / 2);
  const { bytes } = await writeMorphGlb({ name: 'face', rest: mesh, times, frames: shapes });
  // A tenth of the bytes: the examples are most of what the command line ships.
  const files = new MemoryFiles([['face.glb', withTargetNames(bytes, names)]]);
  const outputs = new MemoryOutputs();
  const options = { compress: /** @type {const} */ ('meshopt') };
  await runJob({ command: 'convert', inputs: ['face.glb'], output: 'small.glb', options }, { files, outputs });
  return /** @type {Uint8Array} */ (outputs.files.get('small.glb'));
}

/**
 * A GLB whose first mesh has names for its morph targets, and no animation: sliders move it.
 *
 * @param {Uint8Array} glb
 * @param {readonly string[]} names
 */
function withTargetNames(glb, names) {
  const header = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = header.getUint32(12, true);
  const { animations: _, ...json } = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  json.meshes[0].extras = { ...json.meshes[0].extras, targetNames: names };
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = 4 * Math.ceil(text.length / 4);
  const out = new Uint8Array(glb.length - length + padded).fill(32, 0, 20 + padded);
  const view = new DataView(out.buffer);
  out.set(glb.subarray(0, 12));
  view.setUint32(8, out.length, true);
  view.setUint32(12, padded, true);
  view.setUint32(16, header.getUint32(16, true), true);
  out.set(text, 20);
  out.set(glb.subarray(20 + length), 20 + padded);
  return out;
}

/**
 * A dog that wags its tail, the pairs it learns from, and a performance: every pose is held for half a second.
 *
 * @param {number} scale
 * @returns {Promise<Map<string, Uint8Array | string>>}
 */
async function dogFiles(scale) {
  const { rig, registration } = dogCharacter(0.05 * scale);
  const { stand, armsStraight, armsFront, leftArmUp, rightArmUp, leftStep, rightStep } = PERFORMER_POSES;
  const poses = [stand, armsStraight, armsFront, stand, leftArmUp, rightArmUp, leftStep, rightStep, stand];
  const [frames, between] = [15, 10];
  const clip = {
    name: 'me',
    times: Float64Array.from({ length: frames * poses.length }, (_, t) => t / FPS),
    transforms: Float64Array.from(
      poses.flatMap((pose) =>
        Array(frames)
          .fill([...poseFromJoints(PERFORMER_BONES, pose).transforms])
          .flat(),
      ),
    ),
  };
  const wag = {
    name: 'Wag',
    times: Float64Array.from([0, between, 2 * between], (t) => t / FPS),
    transforms: Float64Array.from([0, 4, 0].flatMap((k) => [...registration.pairs[k].character.transforms])),
  };
  return new Map([
    ['dog.glb', (await writeSkinnedGlb({ rig, clips: [wag] })).bytes],
    ['dog.json', writePairs(pairsToDocument({ pairs: registration, bones: rig.bones }))],
    ['me.bvh', writeBvh(skeletonFromClip(PERFORMER_BONES, clip))],
  ]);
}
