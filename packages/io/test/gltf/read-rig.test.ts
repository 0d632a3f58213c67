import { poseAt, validateClip, validateRig } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { bakeSequence, readGltf, readRig } from '../../src/index.ts';
import { blendPose } from './blend-pose.ts';
import { FileBuilder, TRIANGLE } from './file-builder.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';

const BOUNDS = { min: [0, 0, 0], max: [1, 1, 0] };
/** Column order: moves by −x, −y, −z. */
const moveBack = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1];

interface Parts {
  readonly joints?: readonly number[];
  readonly weights?: readonly number[];
}

/** Nodes: 0 mesh, 1 hip at (0, 0, 1), 2 knee in it at (0, 0, 2), both turning. */
function leg({
  joints = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0],
  weights = [1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0],
}: Parts = {}): FileBuilder {
  const builder = new FileBuilder();
  const attributes = {
    POSITION: builder.floats('VEC3', TRIANGLE, BOUNDS),
    JOINTS_0: builder.accessor('VEC4', Uint8Array.from(joints)),
    WEIGHTS_0: builder.floats('VEC4', weights),
  };
  const inverseBindMatrices = builder.floats('MAT4', [...moveBack(0, 0, 1), ...moveBack(0, 0, 3)]);
  builder.list('skins', { joints: [1, 2], inverseBindMatrices });
  builder.node({ mesh: builder.mesh({ attributes }, { name: 'skin' }), skin: 0 });
  builder.node({ name: 'hip', translation: [0, 0, 1], children: [2], extras: { side: 'left' } });
  builder.node({ name: 'knee', translation: [0, 0, 2] }, false);
  const turns = builder.floats('VEC4', [0, 0, 0, 1, 0, 0.6, 0, 0.8]);
  const input = builder.floats('SCALAR', [0, 1], { min: [0], max: [1] });
  builder.list('animations', {
    name: 'kick',
    samplers: [{ input, output: turns }],
    channels: [1, 2].map((node) => ({ sampler: 0, target: { node, path: 'rotation' } })),
  });
  return builder;
}

async function rigOf(builder: FileBuilder, warnings: string[] = []) {
  const glb = builder.glb();
  const asset = await readGltf(glb, { name: 'leg.glb', onWarning: (message) => warnings.push(message) });
  const read = readRig(asset);
  validateRig(read.rig);
  for (const clip of read.clips) validateClip(clip, read.rig.bones.length);
  return { asset, ...read, player: await ThreePlayer.load(glb) };
}

/** The rig in its clip, our own baking and three.js give the same points. */
function expectAgreement({ asset, rig, clips, player }: Awaited<ReturnType<typeof rigOf>>): void {
  const sequence = bakeSequence(asset);
  const size = rig.mesh.positions.length;
  clips[0].times.forEach((time, t) => {
    const played = player.positionsAt(0, time + asset.animations[0].start);
    const posed = blendPose(rig, poseAt(clips[0], t, rig.bones.length));
    expect(largestDeviation(played, posed)).toBeLessThan(1e-5);
    expect(largestDeviation(played, sequence.frames.subarray(t * size, (t + 1) * size))).toBeLessThan(1e-5);
  });
}

describe('a skin', () => {
  it('has the extras of the node that carries it, and of no other', async () => {
    const builder = leg();
    builder.node({ name: 'camera', extras: { field: 40 } });
    expect((await rigOf(builder)).extras).toBeUndefined();
    builder.json.nodes[0].extras = { layers: 2 };
    expect((await rigOf(builder)).extras).toEqual({ layers: 2 });
    // A second skinned mesh: whose extras they would be cannot be told.
    builder.node({ mesh: 0, skin: 0, extras: { layers: 3 } });
    expect((await rigOf(builder)).extras).toBeUndefined();
  });

  it('is a rig of its joints', async () => {
    const read = await rigOf(leg());
    expect(read.asset.skinned).toBe(true);
    expect(read.rig.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['hip', -1],
      ['knee', 0],
    ]);
    expect([...read.rig.bones[1].rest]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3]);
    expect(read.rig.weights.slots).toBe(2);
    expect(read.boneExtras).toEqual([{ side: 'left' }, undefined]);
    expect([...read.rig.mesh.positions]).toEqual(TRIANGLE);
    // At the first key nothing has turned: rest → pose is the identity.
    expect([...read.clips[0].transforms.subarray(0, 12)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    expectAgreement(read);
  });

  it('stands as its root joint does, when the whole is turned and scaled', async () => {
    const builder = leg();
    // Z up to Y up, and from centimetres: a node above the joints.
    builder.json.scenes[0].nodes = [
      0,
      builder.node({ children: [1], rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], scale: [100, 100, 100] }, false),
    ];
    const read = await rigOf(builder);
    const expected = [0, 0, 0, 100, 0, 0, 0, 0, -100];
    read.rig.mesh.positions.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 4);
    });
    read.clips[0].transforms.subarray(0, 24).forEach((value, k) => {
      expect(value).toBeCloseTo(k % 12 === 0 || k % 12 === 5 || k % 12 === 10 ? 1 : 0, 4);
    });
    expectAgreement(read);
  });

  it('takes no notice of where its mesh hangs', async () => {
    const builder = leg();
    builder.json.nodes[0].translation = [50, 60, 70];
    expectAgreement(await rigOf(builder));
  });

  it('need not be listed parents first', async () => {
    const builder = leg();
    builder.json.skins[0].joints = [2, 1];
    const read = await rigOf(builder);
    expect(read.rig.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['hip', -1],
      ['knee', 0],
    ]);
    expectAgreement(read);
  });

  it('rests as it was bound, even where its joints do not, and as the root stands', async () => {
    const builder = leg();
    builder.json.skins[0].joints = [2, 1];
    builder.json.skins[0].inverseBindMatrices = builder.floats('MAT4', [...moveBack(0, 0, 3), ...moveBack(0, 0, 1)]);
    // The knee is bent before anything is played, and the hip has moved.
    builder.json.nodes[2].rotation = [0.6, 0, 0, 0.8];
    builder.json.nodes[1].translation = [10, 0, 1];
    const read = await rigOf(builder);
    expect([...read.rig.mesh.positions]).toEqual([10, 0, 0, 11, 0, 0, 10, 1, 0]);
    expectAgreement(read);
  });

  it('need not have inverse bind matrices', async () => {
    const builder = leg();
    delete builder.json.skins[0].inverseBindMatrices;
    expectAgreement(await rigOf(builder));
  });

  it('may have matrices that cannot be inverted', async () => {
    const builder = leg();
    builder.json.skins[0].inverseBindMatrices = builder.floats('MAT4', new Array(32).fill(0));
    const warnings: string[] = [];
    const { rig } = await rigOf(builder, warnings);
    expect(rig.bones).toHaveLength(2);
    expect(warnings).toHaveLength(1);
  });
});

describe('weights', () => {
  it('are sorted, of sum 1, one for each bone', async () => {
    const warnings: string[] = [];
    const builder = leg({
      joints: [1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0],
      weights: [0.2, 0.5, 0.3, 0, 0.25, 0.75, 0, 0, 0, 0, 0, 0],
    });
    const { rig } = await rigOf(builder, warnings);
    expect([...rig.weights.bones]).toEqual([0, 1, 1, 0, 1, 0]);
    expect([...rig.weights.weights]).toEqual([0.5, 0.5, 0.75, 0.25, 1, 0]);
    expect(warnings).toEqual([
      "glTF 'leg.glb': a joint that a vertex names twice counts with the sum of its weights",
      "glTF 'leg.glb': vertices without weights follow the first of their joints",
    ]);
  });

  it('are scaled where they do not sum to 1, and not below 0', async () => {
    const warnings: string[] = [];
    const { rig } = await rigOf(leg({ weights: [2, 0, 0, 0, 1, 1, 0, 0, 0.5, -0.5, 0, 0] }), warnings);
    expect([...rig.weights.weights]).toEqual([1, 0, 0.5, 0.5, 1, 0]);
    expect(warnings).toHaveLength(2);
  });

  it('may be in more than two sets', async () => {
    const builder = leg();
    const { attributes } = builder.json.meshes[0].primitives[0];
    // Twelve joints at one place, one for each slot, with weights of 1/12.
    const first = builder.json.nodes.length;
    for (let j = 0; j < 12; j++) builder.node({ name: `j${j}`, translation: [j, 0, 0] });
    builder.json.skins[0] = { joints: Array.from({ length: 12 }, (_, j) => first + j) };
    for (let set = 0; set < 3; set++) {
      attributes[`JOINTS_${set}`] = builder.accessor(
        'VEC4',
        Uint8Array.from({ length: 12 }, (_, k) => 4 * set + (k % 4)),
      );
      attributes[`WEIGHTS_${set}`] = builder.floats('VEC4', new Array(12).fill(1 / 12));
    }
    const asset = await readGltf(builder.glb());
    expect(asset.scene.weights.slots).toBe(12);
    // Every vertex moves by the mean of 0 … 11.
    const frame = bakeSequence(asset).frames;
    expect(frame[0]).toBeCloseTo(5.5, 5);
  });
});

describe('far too many weights', () => {
  it('at one vertex do not cost the others', async () => {
    const builder = leg();
    const { attributes } = builder.json.meshes[0].primitives[0];
    const first = builder.json.nodes.length;
    for (let j = 0; j < 100; j++) builder.node({ name: `j${j}` });
    builder.json.skins[0] = { joints: Array.from({ length: 100 }, (_, j) => first + j) };
    for (let set = 0; set < 25; set++) {
      const joints = Uint8Array.from({ length: 12 }, (_, k) => (k < 4 ? 4 * set + k : 0));
      attributes[`JOINTS_${set}`] = builder.accessor('VEC4', joints);
      const weights = Array.from({ length: 12 }, (_, k) => (k < 4 ? 0.01 : set === 0 && k % 4 === 0 ? 1 : 0));
      attributes[`WEIGHTS_${set}`] = builder.floats('VEC4', weights);
    }
    const warnings: string[] = [];
    const asset = await readGltf(builder.glb(), { onWarning: (message) => warnings.push(message) });
    const { slots, weights } = asset.scene.weights;
    expect(slots).toBe(32);
    expect(weights.subarray(0, 32).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 6);
    expect(weights[32]).toBe(1);
    expect(warnings.some((message) => message.includes('more than 32 bones'))).toBe(true);
  });
});

describe('several', () => {
  it('skins over the same joints are one list of bones', async () => {
    const builder = leg();
    const inverseBindMatrices = builder.floats('MAT4', [...moveBack(0, 0, 3), ...moveBack(0, 0, 1)]);
    builder.node({ mesh: 0, skin: builder.list('skins', { joints: [2, 1], inverseBindMatrices }) });
    const read = await rigOf(builder);
    expect(read.rig.bones).toHaveLength(2);
    expect(read.rig.mesh.positions).toHaveLength(18);
    expectAgreement(read);
  });

  it('skins that bind the same joints elsewhere are bones of their own', async () => {
    const builder = leg();
    const inverseBindMatrices = builder.floats('MAT4', [...moveBack(0, 0, 1), ...moveBack(5, 0, 0)]);
    builder.node({ mesh: 0, skin: builder.list('skins', { joints: [1, 2], inverseBindMatrices }) });
    const read = await rigOf(builder);
    expect(read.rig.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['hip', -1],
      ['knee', 0],
      ['knee', 0],
    ]);
    expectAgreement(read);
  });

  it('meshes, one of them carried by a joint', async () => {
    const builder = leg();
    const POSITION = builder.floats('VEC3', TRIANGLE, BOUNDS);
    const shoe = builder.node(
      { name: 'shoe', mesh: builder.mesh({ attributes: { POSITION } }), translation: [0, 0, 1] },
      false,
    );
    builder.json.nodes[2].children = [shoe];
    const read = await rigOf(builder);
    expect(read.rig.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['hip', -1],
      ['knee', 0],
      ['shoe', 1],
    ]);
    expect([...read.rig.mesh.positions.subarray(9, 12)]).toEqual([0, 0, 4]);
    expectAgreement(read);
  });

  it('nodes between joints that are none themselves', async () => {
    const builder = leg();
    const between = builder.node({ children: [2], rotation: [0.6, 0, 0, 0.8] }, false);
    builder.json.nodes[1].children = [between];
    const read = await rigOf(builder);
    expect(read.rig.bones[1].parent).toBe(0);
    expectAgreement(read);
  });
});

it('makes a rig of plain nodes too', async () => {
  const builder = new FileBuilder();
  const POSITION = builder.floats('VEC3', TRIANGLE, BOUNDS);
  builder.node({ name: 'wheel', mesh: builder.mesh({ attributes: { POSITION } }), translation: [0, 1, 0] });
  const sampler = {
    input: builder.floats('SCALAR', [0, 1], { min: [0], max: [1] }),
    output: builder.floats('VEC3', [0, 1, 0, 0, 3, 0]),
  };
  builder.list('animations', {
    samplers: [sampler],
    channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
  });
  const read = await rigOf(builder);
  expect(read.asset.skinned).toBe(false);
  expect(read.clips[0].name).toBe('clip-0');
  expect([...read.clips[0].transforms.subarray(12)]).toEqual([1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0]);
  expectAgreement(read);
});
