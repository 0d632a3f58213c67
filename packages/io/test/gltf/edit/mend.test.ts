/** Files that read well and are wrong: what is passed on is valid, and plays the same. */
import { describe, expect, it } from 'vitest';
import { bakeSequence, editGltf, readGltf, writeSkinnedGlb } from '../../../src/index.ts';
import { binaryOf, glbOf, type Json, jsonOf } from '../glb-json.ts';
import { randomRig, richSheet } from '../models.ts';
import { complaintsAbout } from '../validate-glb.ts';

async function character(): Promise<Uint8Array> {
  const { rig, clip } = randomRig({ bones: 3, slots: 3, frames: 4 }, richSheet(3, 3));
  return (await writeSkinnedGlb({ rig, clips: [clip] })).bytes;
}

async function passedOn(bytes: Uint8Array) {
  return (await editGltf({ bytes }, await readGltf(bytes), {})).bytes;
}

/** The accessor of an attribute, as floats in the binary chunk, which may be written to. */
function floatsOf(json: Json, binary: Uint8Array, accessor: number): Float32Array {
  const { bufferView, byteOffset = 0, count, type } = json.accessors[accessor];
  const size = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type as string] as number;
  const start = binary.byteOffset + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
  return new Float32Array(binary.buffer, start, size * count);
}

const BREACHES: [string, (json: Json, binary: Uint8Array) => void][] = [
  ['names that are numbers', (json) => Object.assign(json.nodes[0], { name: 7 })],
  ['a generator that is a list', (json) => Object.assign(json.asset, { generator: [] })],
  ['bounds of other numbers', (json) => Object.assign(json.accessors[0], { min: [9], max: [1, 2, 3, 4] })],
  ['a channel that names no target', (json) => delete json.animations[0].channels[0].target.path],
  ['a skeleton that is not there', (json) => Object.assign(json.skins[0], { skeleton: 9007199254740992 })],
  [
    'a factor out of range',
    (json) => {
      json.materials = [{ pbrMetallicRoughness: { metallicFactor: 4 } }];
      json.meshes[0].primitives[0].material = 0;
    },
  ],
  ['a property that nobody knows', (json) => Object.assign(json.nodes[0], { childern: [1] })],
  [
    'weights that sum to 2',
    (json, binary) => {
      const weights = floatsOf(json, binary, json.meshes[0].primitives[0].attributes.WEIGHTS_0);
      for (let k = 0; k < 4; k++) weights[k] *= 2;
    },
  ],
  [
    'rotations of another length',
    (json, binary) => {
      const { sampler } = json.animations[0].channels.find((own: Json) => own.target.path === 'rotation');
      const values = floatsOf(json, binary, json.animations[0].samplers[sampler].output);
      for (let k = 0; k < 4; k++) values[k] *= 3;
    },
  ],
  [
    'matrices with another last row',
    (json, binary) => {
      floatsOf(json, binary, json.skins[0].inverseBindMatrices)[3] = 0.25;
    },
  ],
];

describe('a file that is passed on', () => {
  it('has the bytes that it had where nothing is wrong', async () => {
    const bytes = await character();
    const again = await passedOn(bytes);
    expect(await passedOn(again)).toEqual(again);
    expect(jsonOf(again).accessors).toEqual(jsonOf(bytes).accessors);
  });

  it.each(BREACHES)('is valid and plays the same in spite of %s', async (_, breach) => {
    const glb = await character();
    const [json, binary] = [jsonOf(glb), binaryOf(glb).slice()];
    breach(json, binary);
    const broken = glbOf(json, binary);
    expect(await complaintsAbout(broken)).not.toEqual([]);
    const mended = await passedOn(broken);
    expect(await complaintsAbout(mended)).toEqual([]);
    const [before, after] = await Promise.all([readGltf(broken), readGltf(mended)]);
    const [a, b] = [bakeSequence(before), bakeSequence(after)];
    const far = a.frames.map((value, k) => Math.abs(value - b.frames[k]));
    expect(Math.max(...far)).toBeLessThan(1e-5);
  });

  it('keeps what nobody knows in extras', async () => {
    const glb = await character();
    const json = jsonOf(glb);
    json.nodes[0].engine = { layer: 3 };
    expect(jsonOf(await passedOn(glbOf(json, binaryOf(glb)))).nodes[0].extras).toMatchObject({ engine: { layer: 3 } });
  });
});
