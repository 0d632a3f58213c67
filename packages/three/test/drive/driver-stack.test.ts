import { type Bone, poseFromJoints } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { AnimationMixer } from 'three';
import { describe, expect, it } from 'vitest';
import { plainModel } from '../../examples/models.mjs';
import { bonesOf, DriverStack, type PeltMesh } from '../../src/index.ts';
import { loadModel } from '../scene.ts';

const walk = creatureScene({ frames: 4, detail: 0.15 });

async function staged() {
  const { gltf, mesh } = await loadModel(await plainModel(walk), { all: true });
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  mixer.setTime(0.05);
  return { mesh, stack: new DriverStack(mesh), bones: bonesOf(mesh.skeleton.joints, mesh.skeleton.inverses) };
}

function shown(mesh: PeltMesh, stack: DriverStack): Float64Array {
  stack.update();
  mesh.skeleton.update();
  return mesh.skeleton.transforms.slice();
}

const isBelow = (bones: readonly Bone[], j: number, top: number): boolean =>
  j === top || (bones[j].parent >= 0 && isBelow(bones, bones[j].parent, top));

/** All joints by one along y. */
function raise(pose: Float64Array): void {
  for (let k = 7; k < pose.length; k += 12) pose[k] += 1;
}

describe('DriverStack', () => {
  it('shows the clip where nothing is on top, and gives the mesh back', async () => {
    const { mesh, stack } = await staged();
    const alone = shown(mesh, stack);
    stack.add('empty');
    expect(shown(mesh, stack)).toEqual(alone);
    expect(mesh.skeleton.isDriven).toBe(true);
    stack.dispose();
    expect(mesh.skeleton.isDriven).toBe(false);
    mesh.skeleton.update();
    expect(mesh.skeleton.transforms).toEqual(alone);
  });

  it('lets drivers have joints of their own, in an order', async () => {
    const { mesh, stack, bones } = await staged();
    const alone = shown(mesh, stack);
    const top = bones.findIndex(({ parent }) => parent === 0);
    const { name } = bones[top];
    const turn = (degrees: number) => poseFromJoints(bones, { [name]: { degrees: [degrees, 0, 0] } }).transforms;
    const low = stack.add('low', { joints: [name] });
    low.setTransforms(turn(30));
    const one = shown(mesh, stack);
    bones.forEach((_, j) => {
      const [a, b] = [alone, one].map((pose) => [...pose.subarray(12 * j, 12 * j + 12)]);
      if (isBelow(bones, j, top)) expect(b).not.toEqual(a);
      else expect(Math.max(...b.map((value, k) => Math.abs(value - a[k])))).toBeLessThan(1e-6);
    });
    const high = stack.add('high', { joints: [name] });
    high.setTransforms(turn(-50));
    const both = shown(mesh, stack);
    stack.remove(low);
    shown(mesh, stack).forEach((value, k) => {
      expect(value).toBeCloseTo(both[k], 12);
    });
    high.enabled = false;
    expect(shown(mesh, stack)).toEqual(alone);
  });

  it('changes the pose of the layers below by a function, wherever that stands', async () => {
    const { mesh, stack } = await staged();
    const lift = stack.add('lift', { modify: raise });
    const base = stack.add('base');
    base.setTransforms(mesh.skeleton.transforms.slice());
    const before = shown(mesh, stack)[7];
    stack.move(lift, 1);
    expect(shown(mesh, stack)[7]).toBeCloseTo(before + 1, 6);
    expect(stack.layers).toEqual([base, lift]);
    expect(() => stack.add('base')).toThrow("there is a 'base' already");
  });
});
