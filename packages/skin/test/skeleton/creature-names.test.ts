import { describe, expect, it } from 'vitest';
import { nameBody } from '../../src/skeleton/body-names.ts';
import { nameCreature } from '../../src/skeleton/creature-names.ts';

type Point = readonly [number, number, number];

/** A skeleton of chains: points from joint to joint, the last one a tip, hung from a bone of an earlier chain. */
class Chains {
  readonly #parents: number[] = [];
  readonly #origins: number[] = [];
  readonly #centres: number[] = [];

  /** Returns the bones of the chain. */
  add(from: number, ...points: readonly Point[]): number[] {
    return points.slice(0, -1).map((joint, k) => {
      const bone = this.#parents.length;
      this.#parents.push(k === 0 ? from : bone - 1);
      this.#origins.push(...joint);
      this.#centres.push(...joint.map((value, d) => (value + points[k + 1][d]) / 2));
      return bone;
    });
  }

  /** A chain on the left, and its mirror image. */
  pair(from: number, ...points: readonly Point[]): [number[], number[]] {
    return [this.add(from, ...points), this.add(from, ...points.map(([x, y, z]): Point => [-x, y, z]))];
  }

  skeleton(turn = (point: readonly number[]) => [...point]) {
    const turned = (list: readonly number[]) =>
      Float64Array.from(list.flatMap((_, k) => (k % 3 === 0 ? turn(list.slice(k, k + 3)) : [])));
    return {
      parents: Int32Array.from(this.#parents),
      origins: turned(this.#origins),
      centres: turned(this.#centres),
    };
  }
}

const BACKWARDS = ([x, y, z]: readonly number[]) => [-x, y, -z];
const SIDEWAYS = ([x, y, z]: readonly number[]) => [z, y, -x];
const LARGE = ([x, y, z]: readonly number[]) => [1e6 * x + 5, 1e6 * y, 1e6 * z - 8];

/** Names of a chain, in whichever direction the creature stands. */
function named(chains: Chains, bones: readonly number[]): string[] {
  const all = [undefined, BACKWARDS, SIDEWAYS, LARGE].map((turn) => nameCreature(chains.skeleton(turn)));
  for (const names of all) {
    expect(names).toEqual(all[0]);
    expect(new Set(names).size).toBe(names?.length);
  }
  return bones.map((k) => all[0]?.[k] ?? '');
}

/** Spine from the hips to the snout, which all animals with legs here have, and a tail. */
function animal() {
  const chains = new Chains();
  const spine = chains.add(-1, [0, 1, -0.5], [0, 1, -0.2], [0, 1, 0.2], [0, 1.05, 0.5], [0, 1.3, 0.8], [0, 1.3, 1.1]);
  const tail = chains.add(spine[0], [0, 1, -0.6], [0, 0.95, -0.8], [0, 0.9, -1], [0, 0.85, -1.2]);
  return { chains, spine, tail };
}

const leg = (x: number, z: number): Point[] => [
  [x, 0.9, z],
  [x, 0.5, z + 0.05],
  [x, 0.2, z - 0.03],
  [x, 0.04, z],
  [x, 0, z + 0.1],
];

describe('names of creatures', () => {
  it('of a quadruped tell front from back, left from right, and number spine and tail from the hips', () => {
    const { chains, spine, tail } = animal();
    const [frontLeft, frontRight] = chains.pair(spine[2], ...leg(0.2, 0.4));
    const [backLeft] = chains.pair(spine[0], ...leg(0.2, -0.5));
    const [ear] = chains.pair(spine[4], [0.05, 1.4, 0.85], [0.1, 1.5, 0.85]);
    expect(named(chains, spine)).toEqual(['Hips', 'Spine1', 'Spine2', 'Neck', 'Head']);
    expect(named(chains, tail)).toEqual(['Tail1', 'Tail2', 'Tail3']);
    expect(named(chains, frontLeft)).toEqual(
      ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((word) => `FrontLeft${word}`),
    );
    expect(named(chains, frontRight)[0]).toBe('FrontRightUpperLeg');
    expect(named(chains, backLeft)[1]).toBe('BackLeftLowerLeg');
    expect(named(chains, ear)).toEqual(['LeftEar1']);
    expect(nameBody(chains.skeleton(), 'plain')).toBeUndefined();
  });

  it('of a quadruped with shoulder blades begin with them', () => {
    const { chains, spine } = animal();
    const [front] = chains.pair(spine[2], [0.1, 1.1, 0.4], ...leg(0.2, 0.4));
    const [back] = chains.pair(spine[0], [0.1, 1, -0.5], ...leg(0.2, -0.5));
    expect(named(chains, front.slice(0, 2))).toEqual(['FrontLeftShoulder', 'FrontLeftUpperLeg']);
    expect(named(chains, back.slice(0, 2))).toEqual(['BackLeftHip', 'BackLeftUpperLeg']);
  });

  it('of a bird, wider than long, are wings and legs, and never those of a person', () => {
    const { chains, spine, tail } = animal();
    const [wing] = chains.pair(spine[2], [0.1, 1.1, 0.3], [0.7, 1.2, 0.2], [1.3, 1.2, 0], [1.9, 1.2, -0.2]);
    const [left] = chains.pair(spine[0], ...leg(0.12, -0.2));
    expect(named(chains, wing)).toEqual(['LeftWing1', 'LeftWing2', 'LeftWing3']);
    expect(named(chains, left)).toEqual(['LeftUpperLeg', 'LeftLowerLeg', 'LeftFoot', 'LeftToes']);
    expect(named(chains, [spine[0], spine[4], tail[0]])).toEqual(['Hips', 'Head', 'Tail1']);
    expect(nameBody(chains.skeleton(), 'plain')).toBeUndefined();
  });

  it('of a fish have fins by place, and a tail', () => {
    const chains = new Chains();
    const points = Array.from({ length: 7 }, (_, k): Point => [0, 0, 1 - 0.4 * k]);
    const body = chains.add(-1, ...points);
    const [fin] = chains.pair(body[1], [0.1, -0.05, 0.5], [0.3, -0.1, 0.4], [0.5, -0.12, 0.3]);
    const dorsal = chains.add(body[2], [0, 0.1, 0.1], [0, 0.5, -0.1]);
    expect(named(chains, body)).toEqual(['Head', 'Spine2', 'Spine1', 'Hips', 'Tail1', 'Tail2']);
    expect(named(chains, fin)).toEqual(['LeftFin1', 'LeftFin2']);
    expect(named(chains, dorsal)).toEqual(['DorsalFin1']);
  });

  it('of a snake are numbered from the head', () => {
    const chains = new Chains();
    const points = Array.from({ length: 13 }, (_, k): Point => [0, 0.02 * (k % 2), 1 - 0.2 * k]);
    const body = chains.add(-1, ...points);
    chains.add(body[0], [0, -0.02, 1.05], [0, -0.02, 1.15]);
    chains.add(body[0], [0, 0.04, 1.05], [0, 0.04, 1.2]);
    const names = named(chains, body);
    expect(names[0]).toBe('Head');
    expect(names.slice(1)).toEqual(Array.from({ length: 11 }, (_, k) => `Spine${k + 1}`));
  });

  it('of a spider count its legs from the front', () => {
    const chains = new Chains();
    const body = chains.add(-1, [0, 0.5, 0.4], [0, 0.5, 0.1], [0, 0.55, -0.3], [0, 0.5, -0.8]);
    const legs = [0.4, 0.2, 0, -0.2].map((z) =>
      chains.pair(body[1], [0.15, 0.5, z / 2], [0.6, 0.9, 1.5 * z], [1, 0.3, 2 * z], [1.1, 0, 2.2 * z + 0.02]),
    );
    legs.forEach(([left, right], k) => {
      expect(named(chains, left)).toEqual([1, 2, 3].map((joint) => `LeftLeg${k + 1}Joint${joint}`));
      expect(named(chains, right)[0]).toBe(`RightLeg${k + 1}Joint1`);
    });
    expect(named(chains, body)).toEqual(['Head', 'Hips', 'Abdomen']);
  });

  it('are numbered where something else hangs from a bone, and missing where there is no body plan', () => {
    const { chains, spine } = animal();
    chains.pair(spine[2], ...leg(0.2, 0.4));
    chains.pair(spine[0], ...leg(0.2, -0.5));
    const saddle = chains.add(spine[1], [0, 1.2, 0], [0, 1.25, 0.02], [0, 1.3, 0.04]);
    expect(named(chains, saddle)).toEqual(['Spine1Part', 'Spine1Part2']);
    const one = new Chains();
    one.add(-1, [0, 0, 0], [0, 1, 0]);
    expect(nameCreature(one.skeleton())).toBeUndefined();
    const still = new Chains();
    still.add(-1, [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]);
    expect(() => nameCreature(still.skeleton())).not.toThrow();
  });
});
