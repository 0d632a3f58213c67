/** The CPU's passes against single vertices and the triangles' own normals. */
import { openNumerics } from '@pelt/math';
import { creatureScene, elbowScene } from '@pelt/testkit';
import { BufferAttribute, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { eightModel, envelopeModel, learntSkin, twoLayerModel } from '../../examples/models.mjs';
import { SkinSurface } from '../../src/model/skin-surface.ts';
import { ringsOf } from '../../src/webgpu/ring-table.ts';
import { SurfacePoser } from '../../src/webgpu/surface-poser.ts';
import { loadModel } from '../scene.ts';

type Name = 'eight' | 'envelope' | 'two-layer';
const files = new Map<Name, Uint8Array>();

beforeAll(async () => {
  const numerics = await openNumerics({ threads: 1 });
  const walk = creatureScene({ frames: 6, detail: 0.12 });
  const elbow = elbowScene({ frames: 5, rings: 11, sides: 8 });
  files.set('eight', await eightModel(walk));
  files.set('two-layer', await twoLayerModel(walk, numerics, 30));
  const skin = learntSkin(elbow, numerics, [0, 2, 4], { proxies: 6, keys: 8, samples: 8 });
  files.set('envelope', await envelopeModel(skin, elbow));
  numerics.close();
});

async function posed(name: Name, prepare: (mesh: Awaited<ReturnType<typeof loadModel>>['mesh']) => void = () => {}) {
  const { mesh, play, gltf } = await loadModel(files.get(name) as Uint8Array);
  play(0.6 * gltf.animations[0].duration);
  mesh.skeleton.update();
  prepare(mesh);
  const surface = new SkinSurface([mesh]);
  const triangles = surface.triangles();
  const poser = new SurfacePoser(surface, ringsOf(surface.positions(), undefined, triangles));
  const texels = poser.newTexels();
  poser.pose(mesh, texels);
  const read = (data: ArrayLike<number>, i: number) => new Vector3(data[4 * i], data[4 * i + 1], data[4 * i + 2]);
  return {
    mesh,
    triangles,
    n: surface.count,
    place: (i: number) => String(surface.positions().subarray(3 * i, 3 * i + 3)),
    position: (i: number) => read(texels.positions.image.data as Float32Array, i),
    normal: (i: number) => read(texels.normals.image.data as Float32Array, i),
  };
}

describe('SurfacePoser', () => {
  it.each(['eight', 'envelope', 'two-layer'] as const)('puts every vertex where the mesh has it: %s', async (name) => {
    const { mesh, n, position } = await posed(name);
    const expected = new Vector3();
    for (let i = 0; i < n; i++) expect(position(i).distanceTo(mesh.getVertexPosition(i, expected))).toBeLessThan(1e-6);
  });

  it('adds morph targets before the bones move them', async () => {
    const { mesh, n, position } = await posed('eight', (object) => {
      const count = object.geometry.getAttribute('position').count;
      const shape = Float32Array.from({ length: 3 * count }, (_, k) => 0.01 * Math.sin(k));
      object.geometry.morphAttributes.position = [new BufferAttribute(shape, 3)];
      object.geometry.morphTargetsRelative = true;
      object.updateMorphTargets();
      object.morphTargetInfluences = [0.7];
    });
    const expected = new Vector3();
    for (let i = 0; i < n; i++) expect(position(i).distanceTo(mesh.getVertexPosition(i, expected))).toBeLessThan(1e-6);
  });

  it('has the normals of the posed triangles', async () => {
    const { n, triangles, position, normal, place } = await posed('eight');
    // Vertices in one place at rest are one.
    const sums = new Map(Array.from({ length: n }, (_, i) => [place(i), new Vector3()]));
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = triangles.subarray(t, t + 3);
      const [a, b, c] = [...corners].map(position);
      const normal = b.sub(a).cross(c.sub(a));
      for (const i of corners) sums.get(place(i))?.add(normal);
    }
    for (let i = 0; i < n; i++) expect(normal(i).angleTo(sums.get(place(i)) as Vector3)).toBeLessThan(1e-3);
  });
});
