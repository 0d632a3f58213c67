/** What is written as FBX, read back by our own reader and by three's. */
import { boundsOf, diagonalOf } from '@pelt/model';
import { type Group, LoadingManager, type Object3D, type SkinnedMesh, Texture, Vector3 } from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { describe, expect, it } from 'vitest';
import { bakeSequence, fbxToGlb, glbToFbx, readGltf, writeSkinnedGlb } from '../../src/index.ts';
import { randomRig, richSheet } from '../gltf/models.ts';
import { complaintsAbout } from '../gltf/validate-glb.ts';

async function character() {
  const { rig, clip } = randomRig({ bones: 3, slots: 3, frames: 4 }, richSheet(3, 3));
  const n = rig.mesh.positions.length / 3;
  const deltas = [Float32Array.from({ length: 3 * n }, (_, k) => (k % 5) / 10)];
  const weights = [Float32Array.of(0, 0.5, 1, 0.25)];
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], morphs: { deltas, weights } });
  return bytes;
}

function corners(positions: Float32Array, triangles: Uint32Array): number[] {
  return [...triangles].flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]);
}

/** Lines in place of arcs and Euler angles, twice, against the size of the model. */
const TOLERANCE = 5e-5;

describe('glbToFbx', () => {
  it('gives every frame back, and a valid GLB', async () => {
    const glb = await character();
    const warnings: string[] = [];
    const back = await fbxToGlb(await glbToFbx(glb), { onWarning: (message) => warnings.push(message) });
    expect(await complaintsAbout(back)).toEqual([]);
    const [before, after] = await Promise.all([readGltf(glb), readGltf(back)]);
    expect(after.animations.map(({ name }) => name)).toEqual(before.animations.map(({ name }) => name));
    const size = diagonalOf(boundsOf(before.mesh.positions));
    const times = [0, 0.01, 0.02, 0.05, 0.09];
    const [a, b] = [bakeSequence(before, { times }), bakeSequence(after, { times })];
    for (let t = 0; t < times.length; t++) {
      const frame = (sequence: typeof a) => {
        const size = sequence.rest.positions.length;
        return corners(sequence.frames.subarray(t * size, (t + 1) * size), sequence.rest.triangles);
      };
      const [x, y] = [frame(a), frame(b)];
      expect(y).toHaveLength(x.length);
      expect(Math.max(...x.map((value, k) => Math.abs(value - y[k])))).toBeLessThan(TOLERANCE * size);
    }
    expect(warnings).toEqual([]);
  });

  it('is read from a part of a larger buffer, as Node gives it', async () => {
    const fbx = await glbToFbx(await character());
    const shared = Buffer.concat([Buffer.from('before'), fbx, Buffer.from('after')]).subarray(6, 6 + fbx.length);
    expect(await fbxToGlb(shared)).toEqual(await fbxToGlb(fbx));
  });

  it('writes the same bytes for the same file', async () => {
    const glb = await character();
    expect(await glbToFbx(glb)).toEqual(await glbToFbx(glb));
  });

  it('is read alike by the loader of three', async () => {
    const glb = await character();
    const fbx = await glbToFbx(glb);
    const manager = new LoadingManager();
    manager.addHandler(/./, { setPath() {}, load: () => new Texture() } as never);
    const root = new FBXLoader(manager).parse(fbx.buffer, '') as Group;
    root.updateMatrixWorld(true);
    let mesh: SkinnedMesh | undefined;
    root.traverse((object: Object3D) => {
      if ((object as SkinnedMesh).isSkinnedMesh) mesh = object as SkinnedMesh;
    });
    const { mesh: rest } = await readGltf(glb);
    const expected = corners(rest.positions, rest.triangles);
    const point = new Vector3();
    const found = Array.from({ length: expected.length / 3 }, (_, c) => {
      mesh?.getVertexPosition(c, point).applyMatrix4(mesh.matrixWorld).multiplyScalar(0.01);
      return point.toArray();
    }).flat();
    expect(Math.max(...found.map((value, k) => Math.abs(value - expected[k])))).toBeLessThan(1e-5);
    expect(root.animations).toHaveLength(1);
  });
});
