import { type CornerAttribute, gatherVertices, InputError, poseAt, type Rig } from '@pelt/model';
import { chainScene, creatureScene } from '@pelt/testkit';
import fc from 'fast-check';
import { Matrix4, type SkinnedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { writeSkinnedGlb } from '../../src/index.ts';
import { blendPose } from './blend-pose.ts';
import { jsonOf } from './glb-json.ts';
import { type RigShape, randomRig, richSheet } from './models.ts';
import { deviation, playedDeviation, roundTrip, TOLERANCE } from './skinned-round-trip.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';

describe('identity', () => {
  it('rest in, rest out, to the bit', async () => {
    const { rig } = randomRig();
    const { back } = await roundTrip({ rig, clips: [] });
    expect(back.rig.mesh.positions).toEqual(rig.mesh.positions);
    expect(back.rig.mesh.triangles).toEqual(rig.mesh.triangles);
    expect(back.clips).toEqual([]);
  });

  it('names, parents and frames of bones come back', async () => {
    const { rig, clip } = randomRig({ bones: 9 });
    const { back } = await roundTrip({ rig, clips: [clip] });
    expect(back.rig.bones.map(({ name, parent }) => ({ name, parent }))).toEqual(
      rig.bones.map(({ name, parent }) => ({ name, parent })),
    );
    back.rig.bones.forEach(({ rest }, j) => {
      rest.forEach((value, k) => {
        expect(value).toBeCloseTo(rig.bones[j].rest[k], 5);
      });
    });
  });

  it('a clip that stays at rest keeps its length', async () => {
    const { rig, clip } = randomRig();
    const still = {
      ...clip,
      transforms: clip.transforms.map((_, k) => (k % 12 === 0 || k % 12 === 5 || k % 12 === 10 ? 1 : 0)),
    };
    const { bytes, back } = await roundTrip({ rig, clips: [still] });
    expect(back.clips[0].times.length).toBe(clip.times.length);
    expect(jsonOf(bytes).animations[0].channels).toHaveLength(1);
    expect(deviation(rig, still, back)).toBeLessThan(1e-6);
  });
});

describe('weights', () => {
  it('come back to the bit, sorted, in as few slots as they need', async () => {
    for (const slots of [1, 3, 4, 5, 8]) {
      const { rig, clip } = randomRig({ bones: 12, slots, seed: slots });
      const { back, dropped } = await roundTrip({ rig, clips: [clip] });
      expect(dropped).toBe(0);
      expect(back.rig.weights.slots).toBe(slots);
      expect(back.rig.weights.weights).toEqual(rig.weights.weights);
      expect(back.rig.weights.bones).toEqual(rig.weights.bones);
    }
  });

  it('beyond sixteen are dropped, and that is said', async () => {
    const { rig, clip } = randomRig({ bones: 22, slots: 19 });
    const { back, dropped } = await roundTrip({ rig, clips: [clip] });
    expect(dropped).toBeGreaterThan(0.01);
    expect(back.rig.weights.slots).toBe(16);
  });

  it('may be small integers', async () => {
    const { rig, clip } = randomRig({ bones: 6, slots: 6 });
    for (const [weightFormat, tolerance] of [
      ['u16', 1 / 65535],
      ['u8', 1 / 255],
    ] as const) {
      const { back } = await roundTrip({ rig, clips: [clip] }, { weightFormat });
      const dense = (from: Rig) => {
        const out = new Float64Array((from.mesh.positions.length / 3) * from.bones.length);
        from.weights.bones.forEach((bone, k) => {
          out[Math.floor(k / from.weights.slots) * from.bones.length + bone] += from.weights.weights[k];
        });
        return out;
      };
      const before = dense(rig);
      dense(back.rig).forEach((weight, k) => {
        expect(Math.abs(weight - before[k])).toBeLessThanOrEqual(tolerance);
      });
    }
  });
});

describe('motion', () => {
  const shapes = fc.record({
    seed: fc.integer({ min: 0 }),
    bones: fc.integer({ min: 1, max: 12 }),
    slots: fc.integer({ min: 1, max: 4 }),
    tree: fc.boolean(),
    frames: fc.integer({ min: 1, max: 5 }),
    scale: fc.constantFrom(1e-6, 1, 1e6),
  });

  it('of any rigid rig is what the clip says, here and in three.js', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape: RigShape) => {
        const { rig, clip } = randomRig(shape);
        const { bytes, back, lost } = await roundTrip({ rig, clips: [clip] });
        expect(lost).toBeLessThan(2e-6);
        expect(deviation(rig, clip, back)).toBeLessThan(TOLERANCE);
        expect(await playedDeviation(rig, clip, bytes)).toBeLessThan(TOLERANCE);
      }),
      { numRuns: 30 },
    );
  });

  it('of a tree with fixed joints needs translations at the root only', async () => {
    const { rig, clip } = randomRig({ bones: 8, frames: 10 });
    const { bytes } = await roundTrip({ rig, clips: [clip] });
    const json = jsonOf(bytes);
    const moved = json.animations[0].channels
      .filter((channel: { target: { path: string } }) => channel.target.path === 'translation')
      .map((channel: { target: { node: number } }) => json.nodes[channel.target.node].name);
    expect(moved).toEqual(['bone 0']);
    const paths = new Set(
      json.animations[0].channels.map((channel: { target: { path: string } }) => channel.target.path),
    );
    expect(paths).toEqual(new Set(['translation', 'rotation']));
    const loose = await roundTrip({ rig, clips: [clip] }, { fixedOffsets: false });
    expect(jsonOf(loose.bytes).animations[0].channels.length).toBeGreaterThan(json.animations[0].channels.length);
  });

  it('keeps neighbouring rotations in one hemisphere, of unit length, over one list of times', async () => {
    const { rig, clip } = randomRig({ bones: 7, frames: 30 });
    const { asset } = await roundTrip({ rig, clips: [clip] });
    const channels = asset.animations[0].channels;
    expect(new Set(channels.map(({ times }) => times)).size).toBe(1);
    for (const { values, path } of channels) {
      if (path !== 'rotation') continue;
      for (let t = 0; t < 30; t++) {
        const [a, b] = [values.subarray(4 * t, 4 * t + 4), values.subarray(4 * t - 4, 4 * t)];
        expect(Math.hypot(...a)).toBeCloseTo(1, 6);
        if (t > 0) expect(a.reduce((sum, value, k) => sum + value * b[k], 0)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('has loose bones under one plain node, and the mesh beside it at the root', async () => {
    const { rig, clip } = randomRig({ tree: false });
    const { bytes } = await roundTrip({ rig, clips: [clip] });
    const { nodes, scenes, skins } = jsonOf(bytes);
    expect(scenes[0].nodes).toHaveLength(2);
    const [mesh, root] = scenes[0].nodes.map((k: number) => nodes[k]);
    expect(Object.keys(mesh).sort()).toEqual(['mesh', 'name', 'skin']);
    expect(Object.keys(root).sort()).toEqual(['children', 'name']);
    expect(root.children).toHaveLength(5);
    expect(skins[0].skeleton).toBe(scenes[0].nodes[1]);
  });

  it('has as many animations as clips', async () => {
    const { rig, clip } = randomRig();
    const other = { ...randomRig({ frames: 3 }).clip, name: 'other' };
    const { back, bytes } = await roundTrip({ rig, clips: [clip, other] });
    expect(back.clips.map(({ name }) => name)).toEqual(['wriggle', 'other']);
    expect(deviation(rig, other, back, 1)).toBeLessThan(TOLERANCE);
    expect(await playedDeviation(rig, other, bytes, 1)).toBeLessThan(TOLERANCE);
  });

  it('keeps small turns about a point far away', async () => {
    const { rig, clip } = randomRig({ tree: false, bones: 1, frames: 2 });
    const bones = [{ ...rig.bones[0], rest: Float64Array.of(1, 0, 0, -500, 0, 1, 0, 0, 0, 0, 1, 0) }];
    // A turn about y that is nothing at the bone and something at the mesh, 500 away.
    const angle = 1e-6;
    const transforms = Float64Array.of(
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      1,
      0,
      1,
      0,
      angle,
      0,
      0,
      1,
      0,
      0,
      -angle,
      0,
      1,
      -500 * angle,
    );
    const turned = { ...clip, transforms };
    const { bytes } = await roundTrip({ rig: { ...rig, bones }, clips: [turned] });
    expect(
      jsonOf(bytes).animations[0].channels.map((channel: { target: { path: string } }) => channel.target.path),
    ).toContain('rotation');
    expect(await playedDeviation(rig, turned, bytes)).toBeLessThan(TOLERANCE);
  });

  it('of long chains does not drift', async () => {
    const { rig, clip } = chainScene({ joints: new Array(40).fill('ball'), frames: 5, ringsPerLink: 2 });
    const { bytes, lost } = await roundTrip({ rig, clips: [clip] });
    expect(lost).toBeLessThan(1e-6);
    expect(await playedDeviation(rig, clip, bytes)).toBeLessThan(TOLERANCE);
  });

  it('of a walking creature is played by three.js', async () => {
    const { rig, clip } = creatureScene({ frames: 8, detail: 0.06 });
    const { bytes } = await roundTrip({ rig, clips: [clip] });
    expect(await playedDeviation(rig, clip, bytes)).toBeLessThan(TOLERANCE);
  });
});

describe('eight weights', () => {
  it('are played right by whoever reads both sets', async () => {
    const { rig, clip } = randomRig({ bones: 12, slots: 8 });
    const { bytes, asset } = await roundTrip({ rig, clips: [clip] });
    const player = await ThreePlayer.load(bytes);
    // three.js blends the first set only; its bones with all the weights must give our frames.
    const matrix = new Matrix4();
    for (let t = 0; t < clip.times.length; t++) {
      player.positionsAt(0, Math.fround(clip.times[t]));
      const { skeleton } = player.scene.children[0] as SkinnedMesh;
      const transforms = new Float64Array(12 * rig.bones.length);
      skeleton.bones.forEach((bone, j) => {
        matrix.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[j]);
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 4; c++) transforms[12 * j + 4 * r + c] = matrix.elements[4 * c + r];
      });
      const played = blendPose({ ...rig, weights: asset.scene.weights }, { transforms });
      expect(largestDeviation(blendPose(rig, poseAt(clip, t, 12)), played)).toBeLessThan(TOLERANCE);
    }
  });
});

describe('shapes beside the skin', () => {
  it('add to the rest pose before the bones move it, here and in three.js', async () => {
    const { rig, clip } = randomRig({ frames: 4 });
    const n3 = rig.mesh.positions.length;
    const deltas = [0, 1].map((r) => Float32Array.from({ length: n3 }, (_, k) => Math.sin(k + 10 * r)));
    deltas[1].fill(0, 9);
    const weights = [Float32Array.of(0, 0, 1, 0.5, -1, 0.25, 0.5, 2)];
    const { bytes, back } = await roundTrip({ rig, clips: [clip], morphs: { deltas, weights } });
    expect(back.morphs?.deltas).toEqual(deltas);
    expect(back.morphs?.weights).toEqual(weights);
    const player = await ThreePlayer.load(bytes);
    for (let t = 0; t < 4; t++) {
      const expected = blendPose(rig, poseAt(clip, t, 5), deltas, weights[0].subarray(2 * t, 2 * t + 2));
      expect(largestDeviation(expected, player.positionsAt(0, Math.fround(clip.times[t])))).toBeLessThan(TOLERANCE);
    }
  });

  it('must fit the mesh and the clips', async () => {
    const { rig, clip } = randomRig();
    const delta = new Float32Array(rig.mesh.positions.length);
    for (const morphs of [
      { deltas: [delta.subarray(3)], weights: [new Float32Array(6)] },
      { deltas: [delta], weights: [] },
      { deltas: [delta], weights: [new Float32Array(5)] },
      { deltas: [delta.map(() => Number.NaN)], weights: [new Float32Array(6)] },
    ]) {
      await expect(writeSkinnedGlb({ rig, clips: [clip], morphs })).rejects.toThrow(InputError);
    }
  });
});

describe('everything else', () => {
  it('keeps UVs, parts, materials, extras and payloads', async () => {
    const { rig, clip } = randomRig({}, richSheet());
    const payload = { name: 'PELT_poser', json: { v: 2 }, buffers: { table: Float64Array.of(1, 2) } };
    const boneExtras = rig.bones.map((_, j) => (j % 2 ? { role: `r${j}` } : undefined));
    const { back, asset, vertexMap } = await roundTrip({
      rig,
      clips: [clip],
      extensions: [payload],
      boneExtras,
      extras: { made: 'by hand' },
    });
    const uvs = rig.mesh.uvs as CornerAttribute;
    expect(back.rig.mesh.uvs?.values).toEqual(gatherVertices(uvs.values, 2, vertexMap));
    expect(back.rig.mesh.parts).toEqual(rig.mesh.parts);
    expect(back.boneExtras).toEqual(boneExtras);
    expect(asset.extensions).toEqual([payload]);
    expect(back.extras).toEqual({ made: 'by hand' });
    clip.times.forEach((_, t) => {
      const expected = gatherVertices(blendPose(rig, poseAt(clip, t, rig.bones.length)), 3, vertexMap);
      const actual = blendPose(back.rig, poseAt(back.clips[0], t, rig.bones.length));
      expect(largestDeviation(expected, actual)).toBeLessThan(TOLERANCE);
    });
  });

  it('writes weights for the copies on a seam', async () => {
    const { rig, clip } = randomRig();
    const corners = rig.mesh.triangles.length;
    const uvs = {
      size: 2 as const,
      values: new Float32Array(2 * corners).map((_, k) => k),
      indices: Uint32Array.from({ length: corners }, (_, c) => c),
    };
    const { bytes, vertexMap } = await roundTrip({ rig: { ...rig, mesh: { ...rig.mesh, uvs } }, clips: [clip] });
    const player = await ThreePlayer.load(bytes);
    const pose = blendPose(rig, poseAt(clip, 2, 5));
    const expected = Array.from(vertexMap).flatMap((i) => [...pose.subarray(3 * i, 3 * i + 3)]);
    expect(largestDeviation(expected, player.positionsAt(0, Math.fround(clip.times[2])))).toBeLessThan(TOLERANCE);
  });

  it('lets extensions follow the copies on a seam', async () => {
    const { rig, clip } = randomRig();
    const corners = rig.mesh.triangles.length;
    const uvs = {
      size: 2 as const,
      values: new Float32Array(2 * corners).map((_, k) => k),
      indices: Uint32Array.from({ length: corners }, (_, c) => c),
    };
    const { asset, vertexMap } = await roundTrip({
      rig: { ...rig, mesh: { ...rig.mesh, uvs } },
      clips: [clip],
      extensions: (map) => [{ name: 'PELT_test', json: {}, buffers: { vertices: map.slice() } }],
    });
    expect(vertexMap.length).toBeGreaterThan(rig.mesh.positions.length / 3);
    expect(asset.extensions[0].buffers.vertices).toEqual(vertexMap);
  });

  it('takes more bones than a byte can count', async () => {
    const { rig, clip } = randomRig({ bones: 300, frames: 2 });
    const { bytes } = await roundTrip({ rig, clips: [clip] });
    expect(await playedDeviation(rig, clip, bytes)).toBeLessThan(TOLERANCE);
  });

  it('does not need a mesh with extent', async () => {
    const { rig, clip } = randomRig();
    const mesh = { ...rig.mesh, positions: rig.mesh.positions.map(() => 2) };
    const { back } = await roundTrip({ rig: { ...rig, mesh }, clips: [clip] });
    expect(back.rig.mesh.positions).toEqual(mesh.positions);
  });

  it('refuses what is no rig', async () => {
    const { rig, clip } = randomRig();
    await expect(writeSkinnedGlb({ rig: { ...rig, bones: [] }, clips: [] })).rejects.toThrow(InputError);
    await expect(writeSkinnedGlb({ rig, clips: [{ ...clip, times: clip.times.subarray(1) }] })).rejects.toThrow(
      InputError,
    );
  });
});
