/** The object in Node: poses, bounds, rays and clones against the evaluators, without a renderer. */
import { readGltf, readRig } from '@pelt/io';
import { openNumerics, Random } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { deformDualQuaternion, deformLinear } from '@pelt/skin';
import { creatureScene, elbowScene } from '@pelt/testkit';
import { Box3, type Intersection, Raycaster, SkinnedMesh, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { eightModel, envelopeModel, learntSkin, plainModel, twoLayerModel } from '../../examples/models.mjs';
import { PeltMesh, peltMeshesOf } from '../../src/index.ts';
import { loadModel } from '../scene.ts';

type Name = 'plain' | 'eight' | 'envelope' | 'two-layer';
const files = new Map<Name, Uint8Array>();

beforeAll(async () => {
  const numerics = await openNumerics({ threads: 1 });
  const walk = creatureScene({ frames: 6, detail: 0.12 });
  const elbow = elbowScene({ frames: 5, rings: 11, sides: 8 });
  files.set('plain', await plainModel(walk));
  files.set('eight', await eightModel(walk));
  files.set('two-layer', await twoLayerModel(walk, numerics, 30));
  const skin = learntSkin(elbow, numerics, [0, 2, 4], { proxies: 6, keys: 8, samples: 8 });
  files.set('envelope', await envelopeModel(skin, elbow));
  numerics.close();
});

const fileOf = (name: Name) => files.get(name) as Uint8Array;

function positionsOf(mesh: PeltMesh): Float64Array {
  const n = mesh.geometry.getAttribute('position').count;
  const out = new Float64Array(3 * n);
  const point = new Vector3();
  mesh.skeleton.update();
  for (let i = 0; i < n; i++) mesh.getVertexPosition(i, point).toArray(out, 3 * i);
  return out;
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++) expect(Math.abs(found[k] - expected[k])).toBeLessThan(tolerance);
}

describe('PeltMesh', () => {
  it.each(['plain', 'eight', 'envelope', 'two-layer'] as const)('gives rest at rest: %s', async (name) => {
    const { mesh, scene } = await loadModel(fileOf(name));
    scene.updateMatrixWorld(true);
    const { positions } = (await readGltf(fileOf(name))).mesh;
    // A learnt skin meets its rest pose as an example, to what its reduction leaves.
    expectClose(positionsOf(mesh), positions, name === 'envelope' ? 1e-3 : 1e-6);
  });

  it('blends all eight weights, linearly and by dual quaternions', async () => {
    const { mesh, play } = await loadModel(fileOf('eight'));
    const { rig, clips } = readRig(await readGltf(fileOf('eight')));
    expect(mesh.model.skin.slots).toBe(8);
    play(clips[0].times[3]);
    const { transforms } = poseAt(clips[0], 3, rig.bones.length);
    const out = new Float32Array(rig.mesh.positions.length);
    expectClose(positionsOf(mesh), deformLinear(rig.mesh.positions, rig.weights, transforms, out), 1e-5);
    mesh.skinning = 'dual-quaternion';
    expectClose(positionsOf(mesh), deformDualQuaternion(rig.mesh.positions, rig.weights, transforms, out), 1e-5);
  });

  it('is posed by transforms that it is given, until it is not', async () => {
    const { mesh, play, scene } = await loadModel(fileOf('plain'));
    play(0);
    const before = positionsOf(mesh);
    const shift = mesh.skeleton.transforms.map((value, k) => value + (k % 12 === 3 ? 0.5 : 0));
    mesh.setTransforms(shift);
    expectClose(
      positionsOf(mesh),
      before.map((value, k) => value + (k % 3 === 0 ? 0.5 : 0)),
      // Weights are float32 and sum to 1 only so far.
      1e-6,
    );
    mesh.setTransforms(undefined);
    scene.updateMatrixWorld(true);
    expectClose(positionsOf(mesh), before, 1e-12);
    expect(() => mesh.setTransforms(new Float64Array(5))).toThrow(/joints, but the model has 12/);
  });

  it.each(['plain', 'eight', 'envelope', 'two-layer'] as const)(
    'is inside its bounds in any pose: %s',
    async (name) => {
      const { mesh, scene } = await loadModel(fileOf(name));
      const random = new Random(3);
      for (const skinning of ['linear', 'dual-quaternion'] as const) {
        if (skinning === 'dual-quaternion' && (name === 'envelope' || name === 'two-layer')) continue;
        mesh.skinning = skinning;
        for (let pose = 0; pose < 4; pose++) {
          for (const joint of mesh.skeleton.joints) {
            joint.quaternion.set(random.normal(), random.normal(), random.normal(), 4).normalize();
          }
          scene.updateMatrixWorld(true);
          const box = (mesh.boundingBox as Box3).clone().expandByScalar(1e-6);
          const sphere = mesh.boundingSphere;
          const positions = positionsOf(mesh);
          const tight = new Box3().setFromArray(positions);
          expect(box.containsBox(tight)).toBe(true);
          for (let k = 0; k < positions.length; k += 3) {
            expect(sphere?.distanceToPoint(new Vector3().fromArray(positions, k))).toBeLessThan(1e-6);
          }
        }
      }
    },
  );

  it.each(['eight', 'envelope', 'two-layer'] as const)(
    'finds what three.js finds, with fewer tests: %s',
    async (name) => {
      const { mesh, play } = await loadModel(fileOf(name));
      const random = new Random(5);
      for (const skinning of ['linear', 'dual-quaternion'] as const) {
        if (skinning === 'dual-quaternion' && name !== 'eight') continue;
        mesh.skinning = skinning;
        play(0.1);
        const { center, radius } = mesh.boundingSphere as NonNullable<typeof mesh.boundingSphere>;
        for (let k = 0; k < 40; k++) {
          const raycaster = new Raycaster();
          const point = () => new Vector3(random.normal(), random.normal(), random.normal());
          raycaster.ray.origin.copy(
            point()
              .setLength(2 * radius)
              .add(center),
          );
          raycaster.ray.direction
            .copy(
              point()
                .multiplyScalar(0.25 * radius)
                .add(center)
                .sub(raycaster.ray.origin),
            )
            .normalize();
          const theirs: Intersection[] = [];
          SkinnedMesh.prototype.raycast.call(mesh, raycaster, theirs);
          const ours = raycaster.intersectObject(mesh);
          expect(ours.length).toBe(theirs.length);
          theirs.sort((a, b) => a.distance - b.distance);
          ours.forEach((hit, h) => {
            expect(hit.distance).toBeCloseTo(theirs[h].distance, 9);
            expect(hit.face?.normal.distanceTo(theirs[h].face?.normal as Vector3)).toBeLessThan(1e-9);
          });
        }
      }
    },
  );

  it.each(['envelope', 'two-layer'] as const)('clones with a pose of its own: %s', async (name) => {
    const { gltf, mesh, play, scene } = await loadModel(fileOf(name));
    const copy = clone(gltf.scene);
    scene.add(copy);
    const [copied] = peltMeshesOf(copy);
    expect(copied).not.toBe(mesh);
    expect(copied.skeleton).not.toBe(mesh.skeleton);
    expect(copied.geometry).toBe(mesh.geometry);
    play(0);
    play(0.1, copy);
    const both = [positionsOf(mesh), positionsOf(copied)];
    expect(Math.max(...both[0].map((value, k) => Math.abs(value - both[1][k])))).toBeGreaterThan(1e-2);
    play(0.1);
    expectClose(positionsOf(mesh), both[1], 1e-9);
  });

  it('needs no file: geometry, material and a plain skeleton are enough', async () => {
    const { mesh } = await loadModel(fileOf('plain'));
    const own = new PeltMesh(mesh.geometry, mesh.material);
    own.bind(mesh.skeleton.clone(), mesh.bindMatrix);
    expect(own.model.kind).toBe('linear');
    expect(own.boundingSphere?.radius).toBeGreaterThan(0);
  });
});
