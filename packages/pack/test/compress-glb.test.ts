import {
  bakeSequence,
  readGltf,
  readRig,
  type SkinnedGlbOptions,
  type SkinnedModel,
  writeMorphGlb,
  writeSkinnedGlb,
} from '@pelt/io';
import { type Clip, poseAt, type Rig, UnsupportedError, UsageError, uniformTimes } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { blendPose } from '../../io/test/gltf/blend-pose.ts';
import { jsonOf } from '../../io/test/gltf/glb-json.ts';
import { randomRig, richSheet } from '../../io/test/gltf/models.ts';
import { largestDeviation, ThreePlayer } from '../../io/test/gltf/three-player.ts';
import { complaintsAbout } from '../../io/test/gltf/validate-glb.ts';
import { type CompressOptions, compressGlb } from '../src/index.ts';

const FINE = { maxError: 1e-5 };

/** A rig, written and packed; and the vertex of the rig that each of the file's is. */
async function writePacked(
  model: SkinnedModel,
  compression: Partial<CompressOptions> = {},
  options: Partial<SkinnedGlbOptions> = {},
) {
  const plain = await writeSkinnedGlb(model, options);
  const small = await compressGlb(plain.bytes, compression);
  return { bytes: small.bytes, vertexMap: small.order.map((v) => plain.vertexMap[v]) };
}

/** Largest distance between the rig and what its compressed file plays, in the model's unit. */
async function playedDistance(rig: Rig, clip: Clip, compression = FINE) {
  const file = await writePacked({ rig, clips: [clip] }, compression);
  expect(await complaintsAbout(file.bytes)).toEqual([]);
  const back = readRig(await readGltf(file.bytes, { name: 'small.glb' }));
  let most = 0;
  for (let t = 0; t < clip.times.length; t++) {
    const expected = blendPose(rig, poseAt(clip, t, rig.bones.length));
    const actual = blendPose(back.rig, poseAt(back.clips[0], t, back.rig.bones.length));
    file.vertexMap.forEach((i, v) => {
      for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(expected[3 * i + c] - actual[3 * v + c]));
    });
  }
  return { file, most };
}

describe('a compressed rig', () => {
  const { rig, clip } = creatureScene({ frames: 10, detail: 0.08 });

  it('plays as the plain one does, to its grid', async () => {
    const { file, most } = await playedDistance(rig, clip);
    expect(most).toBeLessThan(3e-4);
    const plain = await writeSkinnedGlb({ rig, clips: [clip] });
    expect(file.bytes.length).toBeLessThan(0.6 * plain.bytes.length);
    const json = jsonOf(file.bytes);
    expect(json.extensionsRequired).toEqual(['EXT_meshopt_compression', 'KHR_mesh_quantization']);
  });

  it('is smaller and coarser with fewer bits', async () => {
    const fine = await playedDistance(rig, clip);
    const coarse = await playedDistance(rig, clip, {
      maxError: 1e-3,
    });
    expect(coarse.file.bytes.length).toBeLessThan(0.9 * fine.file.bytes.length);
    expect(coarse.most).toBeGreaterThan(fine.most);
    expect(coarse.most).toBeLessThan(0.02);
  });

  it('has every vertex once, and the same triangles', async () => {
    const { file } = await playedDistance(rig, clip);
    expect([...file.vertexMap].sort((a, b) => a - b)).toEqual([...file.vertexMap.keys()]);
    const { mesh } = await readGltf(file.bytes, { name: 'small.glb' });
    const key = (triangle: number[]) => {
      const least = triangle.indexOf(Math.min(...triangle));
      return [0, 1, 2].map((c) => triangle[(least + c) % 3]).join(' ');
    };
    const keys = (triangles: Uint32Array, name = (i: number) => i) =>
      Array.from({ length: triangles.length / 3 }, (_, f) =>
        key([...triangles.subarray(3 * f, 3 * f + 3)].map(name)),
      ).sort();
    expect(keys(mesh.triangles, (i) => file.vertexMap[i])).toEqual(keys(rig.mesh.triangles));
  });

  it('plays in three.js', async () => {
    const file = await writePacked({ rig, clips: [clip] }, FINE, { normals: false });
    const player = await ThreePlayer.load(file.bytes);
    const expected = blendPose(rig, poseAt(clip, 4, rig.bones.length));
    const moved = Float32Array.from(
      { length: expected.length },
      (_, k) => expected[3 * file.vertexMap[Math.floor(k / 3)] + (k % 3)],
    );
    expect(largestDeviation([...moved], player.positionsAt(0, Math.fround(clip.times[4])))).toBeLessThan(1e-3);
  });
});

describe('what else a file has', () => {
  it('keeps normals, UVs, materials, images and parts', async () => {
    const sheet = richSheet();
    const { rig, clip } = randomRig();
    const n = sheet.positions.length / 3;
    const weights = { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
    const file = await writePacked({ rig: { ...rig, mesh: sheet, weights }, clips: [clip] });
    expect(await complaintsAbout(file.bytes)).toEqual([]);
    const { mesh } = await readGltf(file.bytes, { name: 'sheet.glb' });
    expect(mesh.parts?.length).toBe(sheet.parts?.length);
    expect(mesh.images?.map(({ bytes }) => [...bytes])).toEqual(sheet.images?.map(({ bytes }) => [...bytes]));
    expect(mesh.normals).toBeDefined();
    expect(mesh.uvs).toBeDefined();
  });

  it('two sets of weights stay as they are', async () => {
    const { rig, clip } = randomRig({ bones: 9, slots: 7 });
    const { file, most } = await playedDistance(rig, clip);
    expect(jsonOf(file.bytes).meshes[0].primitives[0].attributes.WEIGHTS_1).toBeDefined();
    expect(most).toBeLessThan(0.02);
  });

  it('morph targets go onto the same grid', async () => {
    const { sequence } = creatureScene({ frames: 5, detail: 0.12 });
    const plain = await writeMorphGlb(sequence, { normals: false });
    const { bytes, order } = await compressGlb(plain.bytes, { maxError: 1e-5 });
    expect(await complaintsAbout(bytes)).toEqual([]);
    const back = bakeSequence(await readGltf(bytes, { name: 'morph.glb' }));
    let most = 0;
    for (let t = 0; t < 5; t++) {
      order.forEach((i, v) => {
        for (let c = 0; c < 3; c++) {
          const size = sequence.rest.positions.length;
          most = Math.max(most, Math.abs(back.frames[t * size + 3 * v + c] - sequence.frames[t * size + 3 * i + c]));
        }
      });
    }
    expect(most).toBeLessThan(2e-4);
    expect(bytes.length).toBeLessThan(0.7 * plain.bytes.length);
  });

  it('a still clip, and a mesh of one triangle', async () => {
    const rig: Rig = {
      name: 'one',
      mesh: { name: 'one', positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) },
      bones: [{ name: 'b', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }],
      weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
    };
    const still = {
      name: 'still',
      times: uniformTimes(2, 10),
      transforms: Float64Array.from([...rig.bones[0].rest, ...rig.bones[0].rest]),
    };
    expect((await playedDistance(rig, still)).most).toBeLessThan(1e-4);
  });

  it('refuses bits that no format has', async () => {
    const { rig, clip } = randomRig();
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    await expect(compressGlb(bytes, { normalBits: 17 })).rejects.toThrow(UsageError);
    await expect(compressGlb(bytes, { maxError: 2 })).rejects.toThrow(UsageError);
  });
});

it('refuses what it cannot pack: arrays of an extension', async () => {
  const { rig, clip } = randomRig();
  const extensions = [{ name: 'PELT_test', json: {}, buffers: { table: Float64Array.of(1, 2) } }];
  await expect(writePacked({ rig, clips: [clip], extensions })).rejects.toThrow(UnsupportedError);
});
