import { openNumerics } from '@pelt/math';
import { type Bone, boundsOf, InputError, type Mesh, type Rig, validateRig } from '@pelt/model';
import { dogCharacter, personRig } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { embedSkeleton } from '../../src/embed/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());
const run = { numerics };

const person = personRig();
const dog = dogCharacter(0.05).rig;
/** The person with the skeleton of one. */
const plain = embedSkeleton({ mesh: person.mesh, like: 'human' }, {}, run);

const originOf = ({ rest }: Bone) => [rest[3], rest[7], rest[11]];
const sizeOf = ({ positions }: Mesh) => {
  const { min, max } = boundsOf(positions);
  return Math.max(...max.map((value, k) => value - min[k]));
};

/** Distance of a joint from a known one, in parts of the size of the mesh. */
function off(found: Rig, name: string, truth: Rig, known: string): number {
  const [a, b] = [found.bones.find((bone) => bone.name === name), truth.bones.find((bone) => bone.name === known)];
  if (!a || !b) throw new Error(`no joint ${name} or ${known}`);
  const [p, q] = [originOf(a), originOf(b)];
  return Math.hypot(...p.map((value, k) => value - q[k])) / sizeOf(truth.mesh);
}

const PERSON: readonly (readonly [string, string])[] = [
  ['Hips', 'hips'],
  ['Chest', 'chest'],
  ['Neck', 'neck'],
  ['Head', 'head'],
  ...['Left', 'Right'].flatMap((side) =>
    [
      ['UpperArm', 'arm'],
      ['LowerArm', 'forearm'],
      ['Hand', 'hand'],
      ['UpperLeg', 'thigh'],
      ['LowerLeg', 'shin'],
      ['Foot', 'foot'],
    ].map(([ours, theirs]): [string, string] => [`${side}${ours}`, `${theirs}.${side.toLowerCase()}`]),
  ),
];

describe('embedSkeleton', () => {
  it('finds the joints of a character in its own mesh', () => {
    const { rig, missing } = embedSkeleton({ mesh: dog.mesh, like: dog }, {}, run);
    validateRig(rig);
    expect(missing).toEqual([]);
    const worst = dog.bones.map(({ name }) => off(rig, name, dog, name));
    expect(Math.max(...worst)).toBeLessThan(0.02);
  });

  it.each([{}, { armsDown: 5, legs: 0.8, stout: 1.3 }])('finds the joints of a person: %o', (options) => {
    const truth = personRig(options);
    const { rig, missing } = embedSkeleton({ mesh: truth.mesh, like: 'human' }, {}, run);
    validateRig(rig);
    expect(missing).toEqual([]);
    const distances = PERSON.map(([ours, theirs]) => off(rig, ours, truth, theirs));
    expect(Math.max(...distances)).toBeLessThan(0.06);
    expect(distances.reduce((sum, value) => sum + value, 0) / distances.length).toBeLessThan(0.025);
  });

  it('names legs and tail of a dog, which faces the other way and lies on its back axis', () => {
    // Z up, facing −Y.
    const turned = {
      ...dog.mesh,
      positions: dog.mesh.positions.map((_, k, p) => (k % 3 === 0 ? p[k] : k % 3 === 1 ? -p[k + 1] : p[k - 1])),
    };
    const truth = {
      ...dog,
      mesh: turned,
      bones: dog.bones.map((bone) => ({ ...bone, rest: bone.rest.with(7, -bone.rest[11]).with(11, bone.rest[7]) })),
    };
    const { rig } = embedSkeleton({ mesh: turned, like: 'quadruped' }, {}, run);
    for (const [name, known] of [
      ['FrontLeftLowerLeg', 'left fore shin'],
      ['FrontRightFoot', 'right fore foot'],
      ['BackLeftLowerLeg', 'left hind shin'],
      ['BackRightToes', 'right hind foot'],
      ['Tail2', 'tail 1'],
      ['Head', 'head'],
    ] as const) {
      expect(off(rig, name, truth, known)).toBeLessThan(0.08);
    }
  });

  it('carries one character over to another', () => {
    const other = personRig({ armsDown: 10, legs: 0.9, stout: 1.2 });
    const { rig, missing } = embedSkeleton({ mesh: other.mesh, like: person }, { weights: 2 }, run);
    expect(missing).toEqual([]);
    expect(rig.bones.map(({ name }) => name)).toEqual(person.bones.map(({ name }) => name));
    for (const { name } of person.bones) expect(off(rig, name, other, name)).toBeLessThan(0.05);
    expect(rig.weights.slots).toBe(2);
  });

  it('gives limbs to their bones', () => {
    const { rig } = plain;
    const { positions } = person.mesh;
    const heaviest = (i: number) => rig.bones[rig.weights.bones[i * rig.weights.slots]].name;
    for (let i = 0; 3 * i < positions.length; i++) {
      const [x, y] = [positions[3 * i], positions[3 * i + 1]];
      if (Math.abs(x) > 0.55) expect(heaviest(i)).toMatch(x > 0 ? /Left(?:Hand|LowerArm)/ : /Right(?:Hand|LowerArm)/);
      if (y < 0.3) expect(heaviest(i)).toMatch(x > 0 ? /Left(?:LowerLeg|Foot|Toes)/ : /Right(?:LowerLeg|Foot|Toes)/);
    }
  });

  it('puts joints where they are said to be, their twins opposite, and others in between', () => {
    const joint = (rig: Rig, name: string) => originOf(rig.bones[rig.bones.findIndex((bone) => bone.name === name)]);
    const [x, y, z] = joint(plain.rig, 'LeftLowerLeg');
    const landmarks = new Map([['LeftLowerLeg', [x, y + 0.1, z] as const]]);
    const { rig } = embedSkeleton({ mesh: person.mesh, like: 'human' }, { landmarks }, run);
    expect(joint(rig, 'LeftLowerLeg')).toEqual([x, y + 0.1, z]);
    expect(joint(rig, 'RightLowerLeg')[1]).toBeCloseTo(y + 0.1, 1);
    expect(joint(rig, 'LeftFoot')[1]).toBeGreaterThan(joint(plain.rig, 'LeftFoot')[1]);
    expect(joint(rig, 'LeftHand')).toEqual(joint(plain.rig, 'LeftHand'));
    const lost = new Map([['Wing', [0, 0, 0] as const]]);
    expect(() => embedSkeleton({ mesh: person.mesh, like: 'human' }, { landmarks: lost }, run)).toThrow(
      /no joint 'Wing'/,
    );
  });

  it('does not depend on size and place', () => {
    const moved = {
      ...person.mesh,
      positions: person.mesh.positions.map((value, k) => 1024 * value + [512, -256, 128][k % 3]),
    };
    const other = embedSkeleton({ mesh: moved, like: 'human' }, {}, run).rig;
    plain.rig.bones.forEach((bone, j) => {
      const [p, q] = [originOf(bone), originOf(other.bones[j])];
      p.forEach((value, k) => {
        // About a cell: positions are rounded, and cells with them.
        expect(Math.abs((q[k] - [512, -256, 128][k]) / 1024 - value)).toBeLessThan(0.02);
      });
    });
  });

  it('takes a mesh with holes and of several parts', () => {
    // Without every tenth triangle; and the forearms apart from the rest.
    const holes = { ...person.mesh, triangles: person.mesh.triangles.filter((_, k) => Math.floor(k / 3) % 10 > 0) };
    const { positions, triangles } = person.mesh;
    const cut = triangles.filter((_, k) => {
      const corners = triangles.subarray(k - (k % 3), k - (k % 3) + 3);
      return !corners.some((i) => Math.abs(Math.abs(positions[3 * i]) - 0.45) < 0.03);
    });
    for (const mesh of [holes, { ...person.mesh, triangles: cut }]) {
      const { rig } = embedSkeleton({ mesh: { ...mesh, normals: undefined }, like: 'human' }, {}, run);
      validateRig(rig);
      expect(off(rig, 'LeftHand', person, 'hand.left')).toBeLessThan(0.05);
    }
  });

  it('refuses what has no limbs, no volume or no such plan', () => {
    const ball = ballMesh();
    for (const like of ['human', 'hand'] as const) {
      expect(() => embedSkeleton({ mesh: ball, like }, {}, run), like).toThrow(/limbs/);
    }
    const flat = {
      name: 'flat',
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2),
    };
    expect(() => embedSkeleton({ mesh: flat, like: 'human' }, {}, run)).toThrow(InputError);
    expect(() => embedSkeleton({ mesh: ball, like: 'chair' as 'human' }, {}, run)).toThrow(/body plan/);
    expect(() => embedSkeleton({ mesh: ball, like: 'human' }, { weights: 0 }, run)).toThrow(/weights/);
  });

  it('stops when told', () => {
    expectCancels(numerics, (watched) => embedSkeleton({ mesh: person.mesh, like: 'human' }, {}, watched));
  });
});

/** Of rings from pole to pole. */
function ballMesh(): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const steps = 16;
  for (let u = 0; u <= steps; u++) {
    for (let v = 0; v < 2 * steps; v++) {
      const [a, b] = [(Math.PI * u) / steps, (Math.PI * v) / steps];
      positions.push(Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b));
    }
  }
  for (let u = 0; u < steps; u++) {
    for (let v = 0; v < 2 * steps; v++) {
      const [p, q] = [u * 2 * steps + v, u * 2 * steps + ((v + 1) % (2 * steps))];
      triangles.push(p, q, p + 2 * steps, q, q + 2 * steps, p + 2 * steps);
    }
  }
  return { name: 'ball', positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
