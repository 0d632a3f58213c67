import { readFileSync } from 'node:fs';
import { InputError, type JointPose, PeltError, UsageError, validateMotion } from '@pelt/model';
import { PERFORMER_JOINTS, performerPose, realData } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { MEDIAPIPE_JOINTS } from '../../src/motion/mediapipe-joints.ts';
import { readMediapipe } from '../../src/motion/read-mediapipe.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Where a landmark that the performer lacks is found. */
const STAND_IN: Readonly<Record<string, string>> = { Pinky: 'Hand', Index: 'Hand', Thumb: 'Hand', Heel: 'Ankle' };

/** World landmarks of a performer: metres from the middle of the hips, x right in the picture, y down, z away. */
function worldLandmarks(pose: JointPose = {}): number[][] {
  const positions = performerPose(pose);
  const at = (name: string) => 3 * PERFORMER_JOINTS.indexOf(name);
  const middle = [0, 1, 2].map((k) => (positions[at('leftHip') + k] + positions[at('rightHip') + k]) / 2);
  return MEDIAPIPE_JOINTS.map((name) => {
    const known = name.replace(/(Pinky|Index|Thumb|Heel)$/, (word) => STAND_IN[word]);
    const j = PERFORMER_JOINTS.includes(known) ? at(known) : at('head');
    const [x, y, z] = [0, 1, 2].map((k) => positions[j + k] - middle[k]);
    return [x, -y, -z];
  });
}

/** A performer who moves arms, legs and trunk, so that limbs are seen from all sides. */
const FRAMES = Array.from({ length: 40 }, (_, t) => {
  const wave = (turns: number, shift: number) => 40 * Math.sin((2 * Math.PI * turns * t) / 40 + shift);
  return worldLandmarks({
    hips: { degrees: [0, wave(1, 0), 0] },
    spine: { degrees: [10 + wave(1, 1) / 2, 0, 0] },
    leftShoulder: { degrees: [-45 + wave(2, 0), 0, 30 + wave(1, 2)] },
    rightShoulder: { degrees: [-45 + wave(1, 1), 0, -30 + wave(2, 2)] },
    leftElbow: { degrees: [-45 + wave(1, 0.5), 0, 0] },
    leftHip: { degrees: [-40 + wave(1, 0), 0, 0] },
    rightHip: { degrees: [-40 - wave(1, 0), 0, 0] },
    leftKnee: { degrees: [50 + wave(1, 1), 0, 0] },
  });
});

/** The same as a camera's picture of a width to height sees them, with a depth that is too deep. */
const pictureOf = (frame: number[][], aspect: number, deep: number) =>
  frame.map(([x, y, z]) => [0.5 + (0.2 * x) / aspect, 0.4 + 0.2 * y, (deep * 0.2 * z) / aspect]);

const tableOf = (frames: number[][][], first: (t: number) => number | string) =>
  frames.map((frame, t) => [first(t), ...frame.flatMap((point) => [...point, 0.9])].join(',')).join('\n');

function read(text: string, options = {}): { motion: ReturnType<typeof readMediapipe>; warnings: string[] } {
  const warnings: string[] = [];
  const motion = readMediapipe(bytesOf(text), {
    name: 'm.csv',
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  validateMotion(motion);
  return { motion, warnings };
}

function expectWorld({ positions }: { positions: Float32Array }, frame: number[][], scale = 1): void {
  frame.forEach(([x, y, z], j) => {
    expect(positions[3 * j] / scale).toBeCloseTo(x, 2);
    expect(positions[3 * j + 1] / scale).toBeCloseTo(-y, 2);
    expect(positions[3 * j + 2] / scale).toBeCloseTo(-z, 2);
  });
}

describe('readMediapipe', () => {
  it('reads a table of world landmarks, turned so that the performer faces +Z', () => {
    const { motion, warnings } = read(`frame,${'x,'.repeat(132)}\n${tableOf(FRAMES, (t) => t + 1)}`);
    expect(warnings).toEqual([]);
    expect(motion.joints).toHaveLength(33);
    expect(motion.joints[11]).toBe('leftShoulder');
    expectWorld(motion, FRAMES[0]);
    expect(motion.times[3]).toBeCloseTo(0.1, 9);
    expect(motion.confidence[0]).toBeCloseTo(0.9, 6);
  });

  it('keeps gaps in the frame numbers, reads times, and takes a rate where there are neither', () => {
    expect(read(tableOf(FRAMES, (t) => (t < 5 ? t : t + 10))).motion.times[5]).toBeCloseTo(0.5, 9);
    expect(read(tableOf(FRAMES, (t) => 40 * t + 0.5)).motion.times[5]).toBeCloseTo(0.2, 9);
    const bare = FRAMES.map((frame) => frame.flat().join(' ')).join('\n');
    expect(read(bare, { fps: 10 }).motion.times[5]).toBeCloseTo(0.5, 9);
    expect(read(bare).motion.confidence[0]).toBe(1);
  });

  it('finds the shape and the depth of a picture from the limbs', () => {
    for (const aspect of [9 / 16, 4 / 3, 16 / 9]) {
      const { motion, warnings } = read(
        tableOf(
          FRAMES.map((frame) => pictureOf(frame, aspect, 4)),
          (t) => t,
        ),
      );
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`width over height ${aspect.toFixed(3)} and depth factor 0.250`);
      // Moved to the picture's own place; shape and size are the performer's.
      const wrist = 3 * MEDIAPIPE_JOINTS.indexOf('leftWrist');
      const hip = 3 * MEDIAPIPE_JOINTS.indexOf('leftHip');
      for (let k = 0; k < 3; k++) {
        const expected = (k === 0 ? 1 : -1) * (FRAMES[0][wrist / 3][k] - FRAMES[0][hip / 3][k]);
        expect((motion.positions[wrist + k] - motion.positions[hip + k]) / 0.2).toBeCloseTo(expected, 2);
      }
    }
  });

  it('believes what it is told of the picture', () => {
    const text = tableOf(
      FRAMES.map((frame) => pictureOf(frame, 1, 1)),
      (t) => t,
    );
    const { motion, warnings } = read(text, { aspect: 2, depth: 0.5 });
    expect(warnings).toEqual([]);
    expect(motion.positions[0]).toBeCloseTo(2 * pictureOf(FRAMES[0], 1, 1)[0][0], 5);
    expect(motion.positions[2]).toBeCloseTo(-pictureOf(FRAMES[0], 1, 1)[0][2], 5);
    expect(() => read(text, { aspect: 0 })).toThrow(UsageError);
  });

  it('reads JSON: lists of landmarks, and the tracker’s own results, world landmarks first', () => {
    const points = (frame: number[][]) => frame.map(([x, y, z]) => ({ x, y, z, visibility: 0.8 }));
    expectWorld(read(JSON.stringify(FRAMES.map(points))).motion, FRAMES[0]);
    const results = FRAMES.map((frame, t) => ({
      landmarks: [points(pictureOf(frame, 1, 1))],
      worldLandmarks: [points(frame)],
      timestamp: 50 * t,
    }));
    const { motion, warnings } = read(JSON.stringify({ frames: results }));
    expectWorld(motion, FRAMES[0]);
    expect(motion.times[4]).toBeCloseTo(0.2, 9);
    expect(motion.confidence[0]).toBeCloseTo(0.8, 6);
    expect(warnings).toEqual([]);
    const gaps = results.with(2, { ...results[2], landmarks: [], worldLandmarks: [] });
    const mended = read(JSON.stringify(gaps));
    expect(mended.motion.times).toHaveLength(39);
    expect(mended.warnings[0]).toContain('1 frames without a body');
  });

  it('takes missing numbers for lost landmarks', () => {
    const table = tableOf(FRAMES, (t) => t).split('\n');
    const cells = table[0].split(',').with(1, 'NaN').join(',');
    expect(read([cells, ...table.slice(1)].join('\n')).motion.confidence[0]).toBe(0);
    const json = [FRAMES[0].map(([x, y], j) => (j === 0 ? { x, y, z: null } : { x, y, z: 0 }))];
    expect(read(JSON.stringify(json)).motion.confidence[0]).toBe(0);
  });

  it('refuses other files', () => {
    expect(() => read('1,2,3')).toThrow(InputError);
    expect(() => read('1,2,3')).toThrow('rows of 3 numbers');
    for (const [text, message] of [
      ['[', 'not valid JSON'],
      ['[]', 'no list of frames'],
      ['{"a": 1}', 'no list of frames'],
      ['[[1, 2]]', 'a landmark is no object'],
      ['[[{"x": 1}]]', 'no frame has 33 landmarks'],
    ]) {
      expect(() => read(text)).toThrow(InputError);
      expect(() => read(text)).toThrow(message);
    }
    const bytes = bytesOf(JSON.stringify(FRAMES.slice(0, 1)));
    for (let end = 0; end < bytes.length; end += 17) {
      expect(() => readMediapipe(bytes.subarray(0, end))).toThrow(PeltError);
    }
  });

  const recording = realData('motion/mediapipe33-a.csv');
  it.skipIf(!recording)('reads a recording (needs the measured data)', () => {
    const { motion, warnings } = read(readFileSync(recording as string, 'utf8'));
    expect(motion.times).toHaveLength(176);
    // An upright telephone: shoulders and hips have the proportions of a person.
    expect(warnings[0]).toContain('width over height 0.563');
    const at = (name: string) => 3 * motion.joints.indexOf(name);
    const distance = (a: string, b: string) =>
      Math.hypot(...[0, 1, 2].map((k) => motion.positions[at(a) + k] - motion.positions[at(b) + k]));
    const ratio = distance('leftShoulder', 'rightShoulder') / distance('leftShoulder', 'leftHip');
    expect(ratio).toBeGreaterThan(0.55);
    expect(ratio).toBeLessThan(0.85);
  });
});
