import { readGltf } from '@pelt/io';
import { openDocument, WarningTally } from '@pelt/io/internal';
import { characterAsset } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { edited } from '../../jobs/test/matrix/characters.ts';
import { rewriteGltf } from '../src/index.ts';
import { pointerCurves } from '../src/pointer-curves.ts';

const POINTER = '/materials/0/pbrMetallicRoughness/metallicFactor';
const KEYS = [0, 0.1, 0.2, 0.3, 0.4, 9];
const VALUES = [0.1, 0.7, 0.7, 0.7, 0.3, 0.9];

/** A clip that moves a material too; the last key is after its end. */
function withPointer(pointer = POINTER, interpolation = 'LINEAR'): Uint8Array {
  return edited(characterAsset(), (json) => {
    const [buffer] = json.buffers;
    const bytes = new Uint8Array(Float32Array.of(...KEYS, ...VALUES).buffer);
    const base64 = btoa(String.fromCharCode(...bytes));
    json.buffers = [buffer, { byteLength: bytes.length, uri: `data:application/octet-stream;base64,${base64}` }];
    const view = json.bufferViews.push({ buffer: 1, byteOffset: 0, byteLength: 24 }) - 1;
    json.bufferViews.push({ buffer: 1, byteOffset: 24, byteLength: 24 });
    const shape = { componentType: 5126, count: KEYS.length, type: 'SCALAR' };
    const input = json.accessors.push({ ...shape, bufferView: view, min: [0], max: [9] }) - 1;
    json.accessors.push({ ...shape, bufferView: view + 1 });
    const sampler = json.animations[0].samplers.push({ input, output: input + 1, interpolation }) - 1;
    const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } };
    json.animations[0].channels.push({ sampler, target });
    json.extensionsUsed = [...(json.extensionsUsed ?? []), 'KHR_animation_pointer'];
  });
}

async function curvesOf(bytes: Uint8Array, end: number) {
  const { json, accessors } = await openDocument(bytes, undefined, new WarningTally('', undefined));
  return (json.animations as Record<string, unknown>[]).flatMap((animation) =>
    pointerCurves(animation, accessors, end).map(({ times, values, target, interpolation }) => ({
      times: [...times],
      values: [...new Float32Array(values.bytes.slice().buffer)],
      target,
      interpolation,
    })),
  );
}
const floats = (values: readonly number[]) => [...Float32Array.from(values)];

describe('curves by pointer', () => {
  it('lose keys that change nothing, and those after the end', async () => {
    const [whole] = await curvesOf(withPointer(), 0);
    expect(whole.times).toEqual(floats([0, 0.1, 0.3, 0.4, 9]));
    expect(whole.values).toEqual(floats([0.1, 0.7, 0.7, 0.3, 0.9]));
    const [cut] = await curvesOf(withPointer(), 2);
    expect(cut.times).toEqual(floats([0, 0.1, 0.3, 0.4]));
    const [steps] = await curvesOf(withPointer(POINTER, 'STEP'), 2);
    expect(steps.times).toEqual(floats([0, 0.1, 0.4]));
  });

  it.each([undefined, 'meshopt'] as const)('pass through a file packed by %s bit for bit', async (compress) => {
    const given = withPointer();
    const { animations } = await readGltf(given);
    expect(animations[0].pointerKeys).toBe(KEYS.length);
    const { bytes } = await rewriteGltf({ bytes: given }, { compress });
    const [curve, ...others] = await curvesOf(bytes, 0);
    expect(others).toEqual([]);
    expect(curve.target).toEqual({ path: 'pointer', extensions: { KHR_animation_pointer: { pointer: POINTER } } });
    const inside = KEYS.filter((time) => time <= animations[0].end && time !== 0.2);
    curve.times.forEach((time, k) => {
      expect(Math.abs(time - inside[k])).toBeLessThan(2e-5);
    });
    expect(curve.values).toEqual(floats(inside.map((time) => VALUES[KEYS.indexOf(time)])));
    expect((await readGltf(bytes)).animations[0].pointerKeys).toBe(inside.length);
  });

  it('to a node are curves of that node', async () => {
    const scaled = edited(withPointer('/nodes/1/translation'), (json) => {
      const { sampler } = json.animations[0].channels.at(-1);
      const own = json.animations[0].samplers[sampler];
      own.input = json.animations[0].samplers[0].input;
      own.output = json.animations[0].samplers.find(
        ({ input, output }: Record<string, number>) => input === own.input && json.accessors[output].type === 'VEC3',
      )?.output;
    });
    const { animations } = await readGltf(scaled);
    expect(animations[0].pointerKeys).toBeUndefined();
    expect(animations[0].channels.at(-1)).toMatchObject({ node: 1, path: 'translation' });
  });

  it('with keys that do not fit their values are refused in one line', async () => {
    const broken = edited(withPointer(), (json) => {
      json.accessors.at(-1).count = 5;
    });
    await expect(readGltf(broken)).rejects.toThrow(/6 keys do not fit the 5 numbers of accessors\[\d+\]/);
  });
});
