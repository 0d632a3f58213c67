import { readFileSync } from 'node:fs';
import { InputError, PeltError, validateSkeletonMotion } from '@pelt/model';
import { realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { readBvh } from '../../src/bvh/read-bvh.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A root and an arm of one joint; the file's quirks: tabs, CRLF, a brace on the joint's line, lower case. */
const ARM = [
  'HIERARCHY',
  'ROOT Hips',
  '{',
  '\tOFFSET 0 1 0',
  '\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation',
  '\tJOINT Left Arm {',
  '\t\toffset 2.0 0 0',
  '\t\tCHANNELS 3 Zrotation Yrotation Xrotation',
  '\t\tEnd Site',
  '\t\t{',
  '\t\t\tOFFSET 0.5 0 0',
  '\t\t}',
  '\t}',
  '}',
  'MOTION',
  'Frames: 2',
  'Frame Time: 0.5',
  '10 0 0 0 0 0 0 0 0',
  '10 0 3 90 0 0 0 90 0',
].join('\r\n');

function read(text: string): { motion: ReturnType<typeof readBvh>; warnings: string[] } {
  const warnings: string[] = [];
  return {
    motion: readBvh(bytesOf(text), { name: 'arm.bvh', onWarning: (message) => warnings.push(message) }),
    warnings,
  };
}

function expectRefused(text: string, message: string): void {
  expect(() => readBvh(bytesOf(text))).toThrow(InputError);
  expect(() => readBvh(bytesOf(text))).toThrow(message);
}

describe('readBvh', () => {
  it('reads joints, offsets, tips, times', () => {
    const { motion, warnings } = read(ARM);
    expect(warnings).toEqual([]);
    expect(motion.name).toBe('arm');
    expect(motion.joints).toEqual([
      { name: 'Hips', parent: -1, offset: [0, 1, 0] },
      { name: 'Left Arm', parent: 0, offset: [2, 0, 0], tip: [0.5, 0, 0] },
    ]);
    expect([...motion.times]).toEqual([0, 0.5]);
    validateSkeletonMotion(motion);
  });

  it('makes rotations from degrees and places from positions', () => {
    const { motion } = read(ARM);
    const half = Math.SQRT1_2;
    // Frame 1: the root a quarter turn about z, the arm one about y.
    expect([...motion.rotations.subarray(8)].map((value) => Number(value.toFixed(9)))).toEqual(
      [0, 0, half, half, 0, half, 0, half].map((value) => Number(value.toFixed(9))),
    );
    // The root's offset is added to its channels; the arm stays at its own.
    expect([...motion.translations]).toEqual([10, 1, 0, 2, 0, 0, 10, 1, 3, 2, 0, 0]);
  });

  it('multiplies rotations in the order of the channels', () => {
    // Z then X in the file: R = Rz Rx, which takes y by Rx to z and leaves it there.
    const zx = read(
      ARM.replace('Zrotation Xrotation Yrotation', 'Zrotation Xrotation Yrotation').replace(
        '90 0 0 0 90 0',
        '90 90 0 0 0 0',
      ),
    );
    const xz = read(
      ARM.replace('Zrotation Xrotation Yrotation', 'Xrotation Zrotation Yrotation').replace(
        '90 0 0 0 90 0',
        '90 90 0 0 0 0',
      ),
    );
    const [a, b] = [zx, xz].map(({ motion }) =>
      [...motion.rotations.subarray(8, 12)].map((value) => Math.round(value * 1e9) / 1e9),
    );
    expect(a).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(b).toEqual([0.5, -0.5, 0.5, 0.5]);
  });

  it('takes positions that are written in full for what they are', () => {
    const full = ARM.replace('CHANNELS 3 Zrotation', 'CHANNELS 6 Xposition Yposition Zposition Zrotation')
      .replace('10 0 0 0 0 0 0 0 0', '10 0 0 0 0 0 2.1 0 0 0 0 0')
      .replace('10 0 3 90 0 0 0 90 0', '10 0 3 90 0 0 2.2 0 0 0 90 0');
    expect(read(full).motion.translations[3]).toBeCloseTo(2.1);
    expect(read(full).motion.translations[9]).toBeCloseTo(2.2);
    const added = full.replace('2.1 0 0', '0.1 0 0').replace('2.2 0 0', '0.2 0 0');
    expect(read(added).motion.translations[3]).toBeCloseTo(2.1);
  });

  it('mends what can be mended, and says so', () => {
    expect(read(ARM.replace('Frame Time: 0.5', 'Frame Time: 0')).warnings[0]).toContain('30 frames a second');
    expect(read(ARM.replace('Frames: 2', 'Frames: 3')).warnings[0]).toContain('cut short after 2 of 3 frames');
    expect(read(`${ARM} 7`).warnings[0]).toContain('after the last frame');
    const twins = read(ARM.replace('Left Arm', 'Hips'));
    expect(twins.motion.joints[1].name).toBe('Hips 2');
    expect(twins.warnings[0]).toContain("two joints are called 'Hips'");
  });

  it('refuses what is no BVH, with line and word', () => {
    expectRefused(' \n', 'the file is empty');
    expectRefused('SKELETON', "line 1: 'SKELETON' where 'HIERARCHY' should be");
    expectRefused(ARM.replace('OFFSET 0 1 0', 'OFFSET 0 up 0'), "line 4: 'up' where a number should be");
    expectRefused(ARM.replace('Xposition', 'Xscale'), "line 5: 'Xscale' where another of Xposition … Zrotation");
    expectRefused(ARM.replace('CHANNELS 6', 'CHANNELS 7'), 'a number of channels from 0 to 6');
    expectRefused(ARM.replace('CHANNELS 6', 'CHANNELS 1e9'), 'a number of channels from 0 to 6');
    expectRefused(ARM.replace('Frames: 2', 'Frames: -2'), 'a number of frames from 1');
    expectRefused(ARM.replace('Frame Time: 0.5', 'Frame Time: soon'), 'a frame time in seconds');
    expectRefused(ARM.replace('10 0 3', '10 x 3'), "line 19: 'x' where a number should be");
    expectRefused(ARM.replace(/\}\r\nMOTION/, 'MOTION'), "'}'");
    expectRefused('HIERARCHY MOTION Frames: 1', 'no joints');
    expectRefused('HIERARCHY ROOT a\n{ OFFSET 0 0 0 }\nMOTION', 'no joint has channels');
  });

  it('reads a hierarchy on one line, and counts right behind their colons', () => {
    const dense = ARM.replace(/[\r\n]+\s*/g, ' ')
      .replace('Frames: 2', 'Frames:2')
      .replace('Time: 0.5', 'Time:0.5');
    expect(readBvh(bytesOf(dense))).toEqual(readBvh(bytesOf(ARM)));
  });

  it('tells thousands of joints of one name apart without quadratic time', () => {
    const joints = 'JOINT a\n{ OFFSET 0 0 0 CHANNELS 1 Xrotation }\n'.repeat(20_000);
    const text = `HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 1 Xrotation ${joints}}\nMOTION Frames: 1 Frame Time: 1 ${'0 '.repeat(20_001)}`;
    const started = process.cpuUsage();
    const names = readBvh(bytesOf(text)).joints.map(({ name }) => name);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
    expect(new Set(names).size).toBe(20_001);
    expect(names.slice(0, 3)).toEqual(['a', 'a 2', 'a 3']);
  });

  it('does not believe a count of frames that the file cannot hold', () => {
    const huge = ARM.replace('Frames: 2', 'Frames: 2000000000');
    expect(read(huge).motion.times).toHaveLength(2);
  });

  it('ends in an error of its own, wherever the file is cut', () => {
    const bytes = bytesOf(ARM);
    for (let end = 0; end < bytes.length; end++) {
      try {
        validateSkeletonMotion(readBvh(bytes.subarray(0, end)));
      } catch (error) {
        expect(error, `cut at ${end}`).toBeInstanceOf(PeltError);
      }
    }
  });

  const walk = realData('motion/cmu-walk.bvh');
  it.skipIf(!walk)('reads a captured walk (needs the measured data)', () => {
    const motion = readBvh(readFileSync(walk as string), { name: 'cmu-walk.bvh' });
    validateSkeletonMotion(motion);
    expect(motion.joints).toHaveLength(31);
    expect(motion.times).toHaveLength(317);
    expect(motion.times[316]).toBeCloseTo(316 * 0.0083333, 9);
    expect(motion.joints[3]).toEqual({ name: 'LeftLeg', parent: 2, offset: [2.36836, -6.50702, 0] });
    expect([...motion.translations.subarray(0, 3)]).toEqual([8.8721, 15.7511, -31.7081]);
  });
});
