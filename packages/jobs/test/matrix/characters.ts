/**
 * Characters of every kind that a file can have, small, closed and decorated: each has a camera, a light, a socket, extras
 * everywhere, a material with an extension, a variant that nobody knows, and two clips.
 */
import {
  dualQuaternionExtension,
  editGltf,
  readGltf,
  skeletonFromClip,
  writeBvh,
  writeObj,
  writePc2,
  writeSkinnedGlb,
} from '@pelt/io';
import { type Clip, type MeshSequence, type Rig, type SkinWeights, uniformTimes } from '@pelt/model';
import { cylinder, PERFORMER_BONES } from '@pelt/testkit';
import { binaryOf, glbOf, type Json, jsonOf } from '../../../io/test/gltf/glb-json.ts';
import { performance } from '../dog-files.ts';
import { utf8, Workspace } from '../workspace.ts';

const BONES = 9;
const FRAMES = 5;
const LENGTH = 12;
const body = cylinder({ sides: 6, length: LENGTH, bones: BONES });
const n = body.mesh.positions.length / 3;

/** @param reach  over how many bones a vertex spreads */
function weightsOf(reach: number, most: number): SkinWeights {
  const out = { slots: most, bones: new Uint16Array(n * most), weights: new Float32Array(n * most) };
  for (let i = 0; i < n; i++) {
    const at = (body.mesh.positions[3 * i] / LENGTH) * BONES - 0.5;
    const shares = Array.from({ length: BONES }, (_, bone) => ({
      bone,
      share: Math.max(0, reach - Math.abs(bone - at)),
    }))
      .sort((a, b) => b.share - a.share)
      .slice(0, most)
      .filter(({ share }) => share > 0);
    const sum = shares.reduce((total, { share }) => total + share, 0);
    shares.forEach(({ bone, share }, s) => {
      out.bones[i * most + s] = bone;
      out.weights[i * most + s] = share / sum;
    });
  }
  return out;
}

const clipOf = (name: string, pose: (t: number) => Float64Array): Clip => ({
  name,
  times: uniformTimes(FRAMES, 24),
  transforms: Float64Array.from(Array.from({ length: FRAMES }, (_, t) => [...pose(t)]).flat()),
});
const CLIPS = [clipOf('bend', (t) => body.bent(14 * t)), clipOf('twist', (t) => body.twisted(25 * t))];
const rig: Rig = { name: 'worm', mesh: body.mesh, bones: body.bones, weights: weightsOf(1.5, 4) };

/** The shapes of the first clip as a body would have them: it bends round a curve, and swells. */
export function shapes(): MeshSequence {
  const frames = Array.from({ length: FRAMES }, (_, t) => {
    const [angle, joint] = [(14 * t * Math.PI) / 180, (LENGTH * Math.floor(BONES / 2)) / BONES];
    return Array.from({ length: n }, (_, i) => {
      const [x, y, z] = body.mesh.positions.subarray(3 * i, 3 * i + 3);
      const along = x - joint;
      const wide = 1 + 0.05 * t * Math.exp(-along * along);
      const turn = angle * Math.min(Math.max(0.5 + 0.25 * along, 0), 1);
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      return [joint + c * along - s * wide * y, s * along + c * wide * y, wide * z];
    }).flat();
  });
  return { name: 'shapes', rest: body.mesh, frames: Float32Array.from(frames.flat()), times: CLIPS[0].times };
}

export function edited(glb: Uint8Array, change: (json: Json) => void): Uint8Array<ArrayBuffer> {
  const json = jsonOf(glb);
  change(json);
  return Uint8Array.from(glbOf(json, binaryOf(glb)));
}

/** What a file has beside its character; every command keeps all of it, or says what it does not. */
function decorate(json: Json): void {
  json.extensionsUsed = [...(json.extensionsUsed ?? []), 'KHR_lights_punctual', 'KHR_materials_clearcoat', 'ACME_tag'];
  json.extensions = {
    ...json.extensions,
    KHR_lights_punctual: { lights: [{ type: 'point', name: 'lamp' }] },
    ACME_tag: { owner: 'nobody' },
  };
  json.extras = { made: 'by hand' };
  json.cameras = [{ type: 'perspective', perspective: { yfov: 0.7, znear: 0.1 } }];
  json.materials = [
    { name: 'wet', extensions: { KHR_materials_clearcoat: { clearcoatFactor: 0.5 } }, extras: { id: 7 } },
  ];
  for (const mesh of json.meshes) for (const primitive of mesh.primitives) primitive.material = 0;
  const first = json.nodes.length;
  json.nodes.push(
    { name: 'Eye', camera: 0, translation: [0, 1, 5], extras: { lens: 35 } },
    { name: 'Lamp', extensions: { KHR_lights_punctual: { light: 0 } } },
  );
  json.scenes[json.scene ?? 0].nodes.push(first, first + 1);
}

/** As Mixamo's characters come: centimetres and Z up under a node that turns and scales. */
function asMixamo(json: Json): void {
  const half = Math.SQRT1_2;
  const roots = json.scenes[0].nodes;
  json.nodes.push({ name: 'Armature', scale: [0.01, 0.01, 0.01], rotation: [half, 0, 0, half], children: roots });
  json.scenes[0].nodes = [json.nodes.length - 1];
}

const HUMAN = ['hips', 'spine', 'chest', 'neck', 'head'];

function asVrm0(json: Json): void {
  const joints = json.skins[0].joints;
  json.extensionsUsed = [...(json.extensionsUsed ?? []), 'VRM'];
  json.extensions = {
    ...json.extensions,
    VRM: {
      specVersion: '0.0',
      meta: { title: 'worm' },
      humanoid: { humanBones: HUMAN.map((bone, k) => ({ bone, node: joints[k], useDefaultValues: true })) },
      blendShapeMaster: { blendShapeGroups: [{ name: 'Joy', presetName: 'joy', binds: [] }] },
      secondaryAnimation: { boneGroups: [], colliderGroups: [] },
      materialProperties: [{ name: 'wet', shader: 'VRM/MToon' }],
    },
  };
}

function asVrm1(json: Json): void {
  const joints = json.skins[0].joints;
  json.extensionsUsed = [...(json.extensionsUsed ?? []), 'VRMC_vrm', 'VRMC_springBone'];
  json.extensions = {
    ...json.extensions,
    VRMC_vrm: {
      specVersion: '1.0',
      meta: { name: 'worm', authors: ['nobody'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
      humanoid: { humanBones: Object.fromEntries(HUMAN.map((bone, k) => [bone, { node: joints[k] }])) },
      expressions: { preset: { happy: { isBinary: false } } },
    },
    VRMC_springBone: { specVersion: '1.0', springs: [{ name: 'tail', joints: [{ node: joints[8] }] }] },
  };
}

/** A second skinned mesh on a skin of its own, bound in another place, and a part without a skin on a joint. */
function asSeveral(json: Json): void {
  const [mesh] = json.meshes;
  json.meshes.push(
    { ...structuredClone(mesh), name: 'coat' },
    { name: 'hat', primitives: structuredClone(mesh.primitives) },
  );
  for (const primitive of json.meshes[2].primitives) {
    const { POSITION, NORMAL } = primitive.attributes;
    primitive.attributes = { POSITION, ...(NORMAL !== undefined && { NORMAL }) };
  }
  json.skins.push({ ...structuredClone(json.skins[0]), name: 'coat skin', joints: [...json.skins[0].joints] });
  const first = json.nodes.length;
  json.nodes.push(
    { name: 'Coat', mesh: 1, skin: 1 },
    { name: 'Hat', mesh: 2, translation: [0, 2, 0], scale: [0.2, 0.2, 0.2], extras: { size: 'L' } },
  );
  json.scenes[0].nodes.push(first);
  const joint = json.nodes[json.skins[0].joints[6]];
  joint.children = [...(joint.children ?? []), first + 1];
}

function asPointer(json: Json): void {
  json.extensionsUsed = [...json.extensionsUsed, 'KHR_animation_pointer'];
  const { input, output } = json.animations[0].samplers.find(
    (sampler: Json) => json.accessors[sampler.output].type === 'VEC4',
  );
  const sampler = json.animations[0].samplers.push({ input, output }) - 1;
  const pointer = '/materials/0/pbrMetallicRoughness/baseColorFactor';
  json.animations[0].channels.push({
    sampler,
    target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } },
  });
}

const bump = (k: number) => Float32Array.from({ length: 3 * n }, (_, c) => (c % 7 === k ? 0.1 : 0));

/** Files by the name of the character, and what commands need beside them. */
export async function matrixFiles(): Promise<Workspace> {
  const plain = (await writeSkinnedGlb({ rig, clips: CLIPS })).bytes;
  const decorated = edited(plain, decorate);
  const eight = (await writeSkinnedGlb({ rig: { ...rig, weights: weightsOf(4, 8) }, clips: CLIPS })).bytes;
  const morphs = {
    deltas: [bump(0), bump(3)],
    names: ['mouthOpen', 'mouthSmile'],
    weights: CLIPS.map(() => Float32Array.from({ length: 2 * FRAMES }, (_, k) => 0.2 * (k % 4))),
  };
  const morphed = (await writeSkinnedGlb({ rig, clips: CLIPS, morphs })).bytes;
  const space = new Workspace({
    'plain.glb': decorated,
    'eight.glb': edited(eight, decorate),
    'morphs.glb': edited(morphed, decorate),
    'mixamo.glb': edited(decorated, asMixamo),
    'several.glb': edited(decorated, asSeveral),
    'pointer.glb': edited(decorated, asPointer),
    'vrm0.glb': edited(decorated, asVrm0),
    'vrm1.glb': edited(decorated, asVrm1),
    'dual.glb': (
      await editGltf({ bytes: decorated }, await readGltf(decorated), { extensions: [dualQuaternionExtension()] })
    ).bytes,
    'rest.obj': writeObj(body.mesh)[0].bytes,
    'shapes.pc2': writePc2(shapes(), { fps: 24 }),
    'me.bvh': writeBvh(skeletonFromClip(PERFORMER_BONES, performance())),
    'pairs.json': utf8(JSON.stringify(pairs())),
    'handles.json': utf8(JSON.stringify(handles())),
  });
  const make = (command: 'envelope' | 'reduce' | 'pose' | 'fit', inputs: string[], output: string, options: object) =>
    // biome-ignore lint/suspicious/noExplicitAny: the options of whichever command it is
    space.run({ command, inputs, ...(command !== 'pose' && { output }), options } as any);
  const learnt = ['plain.glb', 'rest.obj', 'shapes.pc2'];
  await make('envelope', learnt, 'envelope.glb', { rigClip: 'bend', proxies: 6 });
  await make('envelope', learnt, 'psd.glb', { rigClip: 'bend', predictor: 'psd' });
  await make('reduce', ['plain.glb'], 'layers.glb', { method: 'two-layer', masters: true, virtual: 12 });
  await make('fit', ['rest.obj', 'shapes.pc2'], 'eigenskin.glb', { bones: 3, eigenskin: 2 });
  await make('pose', ['plain.glb'], '', { save: 'poser.glb' });
  await space.run({
    command: 'pose',
    inputs: ['rest.obj'],
    output: 'details.glb',
    options: { examples: ['shapes.pc2'], controls: 3, path: 'handles.json' },
  });
  for (const name of ['layers.glb', 'eigenskin.glb', 'details.glb'])
    space.put(name, edited(space.read(name), decorate));
  return space;
}

function pairs(): object {
  const at = (time: number) => ({ motion: 'me', time });
  return {
    format: 'pelt-pairs',
    version: 1,
    motions: { me: 'me.bvh' },
    pairs: [
      { name: 'stand', performer: at(0.1), character: { bones: {} } },
      { name: 'arm', performer: at(1.5), character: { bones: { BONE: { degrees: [0, 0, 40] } } } },
    ],
  };
}

function handles(): object {
  const last = n - 1;
  const [x, y, z] = body.mesh.positions.subarray(3 * last, 3 * last + 3);
  return {
    fps: 24,
    handles: [
      { vertex: 0, positions: [0, 1, 2].map(() => [...body.mesh.positions.subarray(0, 3)]) },
      { vertex: last, positions: [0, 1, 2].map((t) => [x, y + 0.8 * t, z]) },
    ],
  };
}

/** All of them, with the name that a report gives to their skins. */
export const CHARACTERS = {
  'plain.glb': 'linear',
  'eight.glb': 'linear',
  'morphs.glb': 'linear',
  'mixamo.glb': 'linear',
  'several.glb': 'linear',
  'pointer.glb': 'linear',
  'vrm0.glb': 'linear',
  'vrm1.glb': 'linear',
  'dual.glb': 'dual-quaternion',
  'envelope.glb': 'envelope',
  'psd.glb': 'envelope',
  'layers.glb': 'two-layer',
  'eigenskin.glb': 'eigenskin',
  'poser.glb': 'linear',
  'details.glb': 'linear',
} as const;
