import { readFileSync } from 'node:fs';
import { Random } from '@pelt/math';
import type { SkeletonMotion } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { readBvh } from '../../src/bvh/read-bvh.ts';
import { writeBvh } from '../../src/bvh/write-bvh.ts';

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A root with two children, the second of which has a child: the file's order is not the list's. */
function randomMotion(seed: number, frames: number, slide = 0): SkeletonMotion {
  const random = new Random(seed);
  const joints: SkeletonMotion['joints'] = [
    { name: 'root', parent: -1, offset: [0, 0, 0] },
    { name: 'left', parent: 0, offset: [1, 0, 0] },
    { name: 'right', parent: 0, offset: [-1, 0.25, 0], tip: [-0.5, 0, 0] },
    { name: 'left end', parent: 1, offset: [0.5, 0, 0], tip: [0.125, 0, 0] },
  ];
  const J = joints.length;
  const rotations = new Float64Array(frames * J * 4);
  const translations = new Float64Array(frames * J * 3);
  for (let k = 0; k < frames * J; k++) {
    const q = Array.from({ length: 4 }, () => random.normal());
    const length = Math.hypot(...q);
    rotations.set(
      q.map((value) => value / length),
      4 * k,
    );
    const { parent, offset } = joints[k % J];
    const moves = parent < 0 ? 5 : k % J === 3 ? slide : 0;
    translations.set(
      offset.map((value) => value + moves * random.normal()),
      3 * k,
    );
  }
  return {
    name: 'random',
    joints,
    times: Float64Array.from({ length: frames }, (_, t) => t / 30),
    rotations,
    translations,
  };
}

/** Same joints by name, same rotations (either sign) and places. */
function expectSameMotion(actual: SkeletonMotion, expected: SkeletonMotion, tolerance: number): void {
  const J = expected.joints.length;
  expect(actual.joints).toHaveLength(J);
  expect(actual.times).toHaveLength(expected.times.length);
  expected.joints.forEach((joint, j) => {
    const at = actual.joints.findIndex((other) => other.name === joint.name);
    const parent = actual.joints[at].parent;
    expect(parent < 0 ? '' : actual.joints[parent].name).toBe(
      joint.parent < 0 ? '' : expected.joints[joint.parent].name,
    );
    expect(actual.joints[at].tip).toEqual(joint.tip);
    let [turned, moved] = [0, 0];
    for (let t = 0; t < expected.times.length; t++) {
      const [a, b] = [t * J + at, t * J + j];
      let dot = 0;
      for (let k = 0; k < 4; k++) dot += actual.rotations[4 * a + k] * expected.rotations[4 * b + k];
      turned = Math.max(turned, 1 - Math.abs(dot));
      for (let k = 0; k < 3; k++) {
        moved = Math.max(moved, Math.abs(actual.translations[3 * a + k] - expected.translations[3 * b + k]));
      }
    }
    expect(turned, joint.name).toBeLessThan(tolerance);
    expect(moved, joint.name).toBeLessThan(1e-5);
  });
}

describe('writeBvh', () => {
  it('writes a hierarchy that others can read', () => {
    const text = textOf(writeBvh(randomMotion(1, 2)));
    expect(text.split('\n').slice(0, 12)).toEqual([
      'HIERARCHY',
      'ROOT root',
      '{',
      '\tOFFSET 0 0 0',
      '\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation',
      '\tJOINT left',
      '\t{',
      '\t\tOFFSET 1 0 0',
      '\t\tCHANNELS 3 Zrotation Xrotation Yrotation',
      '\t\tJOINT left end',
      '\t\t{',
      '\t\t\tOFFSET 0.5 0 0',
    ]);
    expect(text.match(/\{/g)).toHaveLength(text.match(/\}/g)?.length ?? 0);
    expect(text).toContain('Frames: 2\nFrame Time: 0.0333333333\n');
  });

  it('gives the same motion back, also with joints that slide', () => {
    expectSameMotion(readBvh(writeBvh(randomMotion(2, 40))), randomMotion(2, 40), 1e-12);
    expectSameMotion(readBvh(writeBvh(randomMotion(3, 40, 0.05))), randomMotion(3, 40, 0.05), 1e-12);
  });

  it('keeps angles continuous through a full turn and through the locked position', () => {
    const motion = randomMotion(4, 200);
    for (let t = 0; t < 200; t++) {
      // The root turns twice about y; the left joint goes up through 90° about x.
      const [y, x] = [(4 * Math.PI * t) / 200 / 2, (Math.PI * t) / 200 / 2];
      motion.rotations.set([0, Math.sin(y), 0, Math.cos(y)], 16 * t);
      motion.rotations.set([Math.sin(x), 0, 0, Math.cos(x)], 16 * t + 4);
    }
    const rows = textOf(writeBvh(motion))
      .split('Frame Time')[1]
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(' ').map(Number));
    for (let t = 1; t < rows.length; t++) {
      for (let k = 3; k < 9; k++) expect(Math.abs(rows[t][k] - rows[t - 1][k])).toBeLessThan(5);
    }
    expect(rows[199][5]).toBeCloseTo((720 * 199) / 200, 3);
    expectSameMotion(readBvh(writeBvh(motion)), motion, 1e-10);
  });

  it('keeps names on one line, and copes with one frame', () => {
    const motion = randomMotion(5, 1);
    const named = {
      ...motion,
      joints: motion.joints.map((joint, j) => (j === 0 ? { ...joint, name: 'a\n{b}' } : joint)),
    };
    expect(readBvh(writeBvh(named)).joints[0].name).toBe('a b');
    expect(() => writeBvh({ ...motion, rotations: new Float64Array(16) })).toThrow('is not a unit quaternion');
  });

  const dance = realData('motion/cmu-dance.bvh');
  it.skipIf(!dance)('gives a captured dance back (needs the measured data)', () => {
    const motion = readBvh(readFileSync(dance as string));
    expectSameMotion(readBvh(writeBvh(motion)), motion, 1e-12);
  });
});
