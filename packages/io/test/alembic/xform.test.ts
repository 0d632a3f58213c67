import { InputError, UnsupportedError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { interpolateTransforms } from '../../src/alembic/xform.ts';
import {
  acyclic,
  meshObject,
  OP,
  readScene,
  TRIANGLE,
  translate,
  uniform,
  type XformInput,
  xformObject,
} from './scene.ts';

/** Where a transform takes the triangle's second corner, (1, 0, 0), in every frame. */
function moved(...inputs: XformInput[]): number[][] {
  const scene = inputs.reduceRight(
    (inner, input, k) => xformObject(`x${k}`, input, [inner]),
    meshObject('m', TRIANGLE),
  );
  const { frames, times } = readScene([scene]);
  return Array.from(times, (_, t) => [...frames.subarray(9 * t + 3, 9 * t + 6)]);
}

const one = (ops: number[], ...values: number[]): XformInput => ({ ops, values: [values] });
const closeTo = (expected: number[]) => expected.map((value) => expect.closeTo(value, 6));

describe('transforms', () => {
  it('leaves a mesh where it is without operations', () => {
    expect(moved({ ops: [], values: [[]] })).toEqual([[1, 0, 0]]);
    expect(moved()).toEqual([[1, 0, 0]]);
  });

  it.each([
    ['scale', one([OP.scale], 2, 3, 4), [2, 0, 0]],
    ['translate', one([OP.translate], 2, 3, 4), [3, 3, 4]],
    ['rotate about an axis, in degrees', one([OP.rotate], 0, 0, 1, 90), [0, 1, 0]],
    ['rotate about an axis of any length', one([OP.rotate], 0, 5, 0, 90), [0, 0, -1]],
    ['rotate about an axis without length', one([OP.rotate], 0, 0, 0, 90), [1, 0, 0]],
    ['rotate about x', one([OP.rotateX], 90), [1, 0, 0]],
    ['rotate about y', one([OP.rotateY], 90), [0, 0, -1]],
    ['rotate about z', one([OP.rotateZ], 90), [0, 1, 0]],
    [
      'matrix, its translation in the last row',
      one([OP.matrix], 0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1),
      [5, 8, 7],
    ],
  ])('does %s', (_, input, expected) => {
    expect(moved(input)).toEqual([closeTo(expected)]);
    expect(moved({ ...input, hint: 3 })).toEqual([closeTo(expected)]);
  });

  it('applies the last operation first', () => {
    // Scaled by 2, turned to +y, moved by 10 along x.
    expect(moved(one([OP.translate, OP.rotateZ, OP.scale], 10, 0, 0, 90, 2, 2, 2))).toEqual([closeTo([10, 2, 0])]);
    expect(moved(one([OP.scale, OP.rotateZ, OP.translate], 2, 2, 2, 90, 10, 0, 0))).toEqual([closeTo([0, 22, 0])]);
  });

  it('applies the transforms of all parents, the innermost first', () => {
    expect(moved(translate(0, 0, 5), one([OP.rotateZ], 90), translate(2, 0, 0))).toEqual([closeTo([0, 3, 5])]);
  });

  it('forgets parents where an object does not inherit', () => {
    expect(moved(translate(0, 0, 5), { ...translate(2, 0, 0), inherits: [false] })).toEqual([[3, 0, 0]]);
  });

  it('follows parents that move, and inheritance that changes', () => {
    const values = [0, 1, 2].map((x) => [x, 0, 0]);
    expect(moved({ ops: [OP.translate], values }, translate(0, 1, 0))).toEqual([
      [1, 1, 0],
      [2, 1, 0],
      [3, 1, 0],
    ]);
    expect(moved(translate(0, 0, 5), { ...translate(2, 0, 0), inherits: [true, false] })).toEqual([
      [3, 0, 5],
      [3, 0, 0],
    ]);
  });

  it('interpolates a transform at the times of others', () => {
    // The outer one turns by 180° within two seconds; the inner one has samples at 0, 0.5 and 2 s.
    const outer = { ops: [OP.rotateZ], values: [[0], [179]], sampling: 1 };
    const inner = {
      ops: [OP.translate],
      values: [
        [0, 0, 0],
        [1, 0, 0],
        [4, 0, 0],
      ],
      sampling: 2,
    };
    const scene = xformObject('o', outer, [xformObject('i', inner, [meshObject('m', TRIANGLE)])]);
    const { frames, times } = readScene([scene], {}, [uniform(0.5), acyclic(0, 0.5, 2)]);
    expect([...times]).toEqual([0, 0.5, 2]);
    const angle = (179 / 4) * (Math.PI / 180);
    expect([...frames.subarray(9 + 3, 9 + 6)]).toEqual(closeTo([2 * Math.cos(angle), 2 * Math.sin(angle), 0]));
  });

  it('interpolates on the arc, with stretch and translation along', () => {
    const a = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
    const b = Float64Array.of(0, -3, 0, 8, 3, 0, 0, 0, 0, 0, 3, 0);
    const out = new Float64Array(12);
    interpolateTransforms(a, b, 0.5, out);
    const h = 2 * Math.SQRT1_2;
    expect([...out]).toEqual(closeTo([h, -h, 0, 4, h, h, 0, 0, 0, 0, 2, 0]));
    interpolateTransforms(a, b, 0, out);
    expect([...out]).toEqual(closeTo([...a]));
    interpolateTransforms(a, b, 1, out);
    expect([...out]).toEqual(closeTo([...b]));
  });

  it('keeps a mirrored surface right side out', () => {
    const plain = readScene([meshObject('m', TRIANGLE)]).rest.triangles;
    const mirrored = readScene([xformObject('x', one([OP.scale], -1, 1, 1), [meshObject('m', TRIANGLE)])]);
    expect([...plain]).toEqual([1, 2, 0]);
    expect([...mirrored.rest.triangles]).toEqual([0, 2, 1]);
  });

  it('refuses what it cannot know', () => {
    expect(() => moved(one([7], 1))).toThrow(UnsupportedError);
    expect(() => moved(one([7], 1))).toThrow("Alembic 'a.abc': transform '/x0' has an operation of unknown kind 7");
    expect(() => moved(one([OP.translate], 1, 2))).toThrow(InputError);
    expect(() => moved(one([OP.translate], 1, 2))).toThrow('has 2 numbers in sample 0, but its operations take 3');
    expect(() => moved(one([OP.translate], 1, 2, Number.NaN))).toThrow("'/x0' has the number NaN in sample 0");
  });
});
