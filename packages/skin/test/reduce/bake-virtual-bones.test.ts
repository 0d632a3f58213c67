import { bakeSequence, readGltf, readRig, readTwoLayer, twoLayerExtension, writeSkinnedGlb } from '@pelt/io';
import { openNumerics, rotationExp } from '@pelt/math';
import { frameAt, poseAt, SequenceErrorMeter, type TwoLayerSkin, validateRig, virtualCount } from '@pelt/model';
import { blendFrames } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { deformTwoLayer } from '../../src/reduce/runtime/two-layer.ts';
import { bakeVirtualBones } from '../../src/reduce/two-layer/bake-virtual-bones.ts';
import { jointDiagonaliser } from '../../src/reduce/two-layer/joint-diagonalise.ts';
import { reduceTwoLayer } from '../../src/reduce/two-layer/reduce-two-layer.ts';
import { denseCreature } from './dense-rig.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('jointDiagonaliser', () => {
  it('leaves diagonal matrices alone', () => {
    const axes = jointDiagonaliser(Float64Array.of(3, 0, 0, 0, 2, 0, 0, 0, 1, 1, 0, 0, 0, 5, 0, 0, 0, 2));
    expect([...axes]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  it('finds the axes that matrices share', () => {
    const turn = new Float64Array(9);
    rotationExp([0.4, -0.9, 0.3], 0, turn, 0);
    const stretches = [
      [1.3, 0.8, 1],
      [0.9, 1.1, 1.4],
      [1, 1.2, 0.7],
    ];
    // S = A diag(s) Aᵀ
    const matrices = Float64Array.from(
      stretches.flatMap((s) =>
        Array.from({ length: 9 }, (_, k) => {
          const [row, column] = [Math.floor(k / 3), k % 3];
          return s.reduce((sum, value, axis) => sum + turn[3 * row + axis] * value * turn[3 * column + axis], 0);
        }),
      ),
    );
    const axes = jointDiagonaliser(matrices);
    for (let t = 0; t < 3; t++) {
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < a; b++) {
          let off = 0;
          for (let r = 0; r < 3; r++) {
            for (let c = 0; c < 3; c++) off += axes[3 * r + a] * matrices[9 * t + 3 * r + c] * axes[3 * c + b];
          }
          expect(Math.abs(off)).toBeLessThan(1e-9);
        }
      }
    }
  });

  it('takes matrices of which none is better than another', () => {
    expect([...jointDiagonaliser(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1))]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});

describe('bakeVirtualBones', () => {
  const { rig, clip } = denseCreature(12);

  it('moves the vertices as the two layers do, with two weights each', () => {
    const { skin } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 60 }, { numerics });
    const baked = bakeVirtualBones({ rig, clips: [clip], skin }, { masters: 'drop' });
    validateRig(baked.rig);
    expect(baked.rig.bones.length).toBe(virtualCount(skin));
    expect(baked.rig.weights.slots).toBe(2);
  });

  it('loses at most half a per cent of the error as translation, rotation and scale in a file', async () => {
    const { skin, error } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 60 }, { numerics });
    const truth = blendFrames(rig, clip);
    const baked = bakeVirtualBones({ rig, clips: [clip], skin }, { masters: 'drop' });
    const { bytes } = await writeSkinnedGlb(baked, { normals: false });
    const back = bakeSequence(await readGltf(bytes, { name: 'layers.glb' }));
    const meter = new SequenceErrorMeter(rig.mesh, clip.times.length);
    const size = rig.mesh.positions.length;
    for (let t = 0; t < clip.times.length; t++)
      meter.addFrame(truth.subarray(t * size, (t + 1) * size), frameAt(back, t));
    expect(meter.result().eRms).toBeLessThan(1.005 * error.eRms + 1e-3);
  });

  it('keeps the masters behind the virtual bones where asked', async () => {
    const { skin } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 20 }, { numerics });
    const baked = bakeVirtualBones({ rig, clips: [clip], skin }, { masters: 'keep' });
    validateRig(baked.rig);
    expect(baked.rig.bones.slice(20).map(({ name }) => name)).toEqual(rig.bones.map(({ name }) => name));
    const { bytes } = await writeSkinnedGlb(baked, { normals: false });
    const back = readRig(await readGltf(bytes, { name: 'both.glb' }));
    expect(back.rig.bones.length).toBe(20 + rig.bones.length);
  });

  it('goes through a file as layers that a run time blends itself', async () => {
    const { skin } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 20 }, { numerics });
    const baked = bakeVirtualBones({ rig, clips: [clip], skin }, { masters: 'keep' });
    const { bytes, vertexMap } = await writeSkinnedGlb(
      { ...baked, extensions: [twoLayerExtension(skin)] },
      { normals: false },
    );
    const asset = await readGltf(bytes, { name: 'both.glb' });
    const back = readRig(asset);
    const layers = readTwoLayer(asset) as TwoLayerSkin;
    expect(virtualCount(layers)).toBe(20);
    const [rest, n] = [rig.mesh.positions, back.rig.mesh.positions.length / 3];
    const virtual = new Float64Array(20 * 12);
    for (const t of [0, 5, 11]) {
      const { transforms } = poseAt(back.clips[0], t, back.rig.bones.length);
      const found = deformTwoLayer(back.rig.mesh.positions, layers, transforms, virtual, new Float32Array(3 * n));
      const masters = poseAt(clip, t, rig.bones.length).transforms;
      const expected = deformTwoLayer(rest, skin, masters, virtual, new Float32Array(rest.length));
      vertexMap.forEach((i, v) => {
        for (let c = 0; c < 3; c++) expect(found[3 * v + c]).toBeCloseTo(expected[3 * i + c], 4);
      });
    }
  });
});
