import { Bone, BufferAttribute, BufferGeometry, Group, Matrix4, MeshBasicMaterial, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { RestSpace } from '../../src/drive/rest-space.ts';
import { PaletteSkeleton } from '../../src/mesh/palette-skeleton.ts';
import { PeltMesh } from '../../src/mesh/pelt-mesh.ts';
import { rigOf } from '../../src/model/geometry-rig.ts';
import { linearModel } from '../../src/model/pelt-model.ts';

/** Two joints along the mesh's own z, in an armature that turns it upright and into metres, as exporters write them. */
function character(turned: boolean) {
  const [scene, root, armature] = [new Scene(), new Group(), new Group()];
  root.position.set(5, 0, -3);
  if (turned) {
    armature.rotation.x = -Math.PI / 2;
    armature.scale.setScalar(0.01);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.of(0, 0, 0, 10, 0, 100, 0, 5, 180), 3));
  geometry.setIndex([0, 1, 2]);
  const skin = { slots: 1, bones: Uint16Array.of(0, 1, 1), weights: new Float32Array(3).fill(1) };
  const joints = [new Bone(), new Bone()];
  joints[0].add(joints[1]);
  joints[1].position.z = 100;
  const inverses = [new Matrix4(), new Matrix4().makeTranslation(0, 0, -100)];
  const mesh = new PeltMesh(geometry, new MeshBasicMaterial(), linearModel(skin));
  mesh.bind(new PaletteSkeleton(joints, inverses, linearModel(skin)));
  scene.add(root.add(armature.add(mesh, joints[0])));
  scene.updateMatrixWorld(true);
  return { root, mesh, joints, rig: rigOf('body', [geometry], joints, inverses, skin) };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

describe('RestSpace', () => {
  it('changes nothing where mesh and scene are alike, wherever the character stands', () => {
    const { mesh, rig } = character(false);
    const space = new RestSpace(mesh);
    expect(space.rigOf(rig)).toBe(rig);
    const pose = Float64Array.from([...IDENTITY, 0, -1, 0, 3, 1, 0, 0, 4, 0, 0, 1, 5]);
    expect(space.toMesh(pose.slice())).toEqual(pose);
  });

  it('sets a lying rig upright, in the units of the scene', () => {
    const { mesh, rig } = character(true);
    const upright = new RestSpace(mesh).rigOf(rig);
    expect([...upright.mesh.positions].map((value) => Math.round(1000 * value) || 0)).toEqual([
      0, 0, 0, 100, 1000, 0, 0, 1800, -50,
    ]);
    expect(upright.bones[1].rest[7]).toBeCloseTo(1, 9);
    expect(rig.bones[1].rest[11]).toBe(100);
  });

  it('takes poses there and back, and rest to rest', () => {
    const { root, mesh, joints } = character(true);
    const space = new RestSpace(mesh, root);
    const rest = space.toMesh(Float64Array.from([...IDENTITY, ...IDENTITY]));
    rest.forEach((value, k) => {
      expect(value).toBeCloseTo(IDENTITY[k % 12], 9);
    });
    // Half a metre up by hand is half a metre up in the scene.
    joints[0].position.z = 50;
    root.updateMatrixWorld(true);
    const pose = space.toScene(mesh.skeleton.readPose(new Float64Array(24)));
    expect(pose[7]).toBeCloseTo(0.5, 9);
    const back = space.toMesh(pose.slice());
    expect(back[11]).toBeCloseTo(50, 6);
  });
});
