import { type Numerics, openNumerics } from '@pelt/math';
import { frameAt, type Poser } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPoseSpace, type PoseSpace } from '../../../src/pose/runtime/pose-space.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { extendPoser } from '../../../src/pose/training/extend-poser.ts';
import { creatureExamples, distance, pointOf } from '../scenes.ts';

const { rig, clip, sequence } = creatureExamples(6);
const E = clip.times.length;
const rest = rig.mesh.positions;
const names = Array.from({ length: E }, (_, e) => `step ${e}`);

let numerics: Numerics;
let poser: Poser;
let space: PoseSpace;
beforeAll(async () => {
  numerics = await openNumerics();
  poser = buildPoser({ rig, clip, examples: sequence }, { proxies: 40, names });
  space = createPoseSpace(poser, { numerics });
});
afterAll(() => {
  space.dispose();
  numerics.close();
});

const transforms = new Float64Array(12 * rig.bones.length);
function shapeOf(pose: Float64Array, own = space): Float32Array {
  own.pose(pose, transforms);
  return own.positions(transforms, new Float32Array(rest.length));
}

describe('createPoseSpace', () => {
  it('gives the rest pose and every example back, where they are', () => {
    expect(distance(shapeOf(space.ofExample('rest')), rest)).toBeLessThan(1e-5 * poser.size);
    for (let e = 0; e < E; e++) {
      expect(distance(shapeOf(space.ofExample(names[e])), frameAt(sequence, e))).toBeLessThan(1e-3 * poser.size);
    }
  });

  it('blends linearly in its numbers, and names what it does not know', () => {
    const blend = Float64Array.from({ length: E }, (_, e) => (e < 2 ? 0.5 : 0));
    const half = space.ofExample(names[0]).map((value, k) => 0.5 * (value + space.ofExample(names[1])[k]));
    expect(Math.max(...half.map((value, k) => Math.abs(value - space.ofBlend(blend)[k])))).toBeLessThan(1e-12);
    expect(() => space.ofExample('jump')).toThrow(/no example 'jump'; there are rest, step 0/);
    expect(() => space.ofBlend([1])).toThrow(/1 weights/);
    expect(() => space.pose(new Float64Array(2), transforms)).toThrow(/2 numbers/);
  });

  it('finds the numbers of a pose that handles describe', () => {
    const truth = frameAt(sequence, 2);
    const handles = extremities(rest, 5).map((vertex) => ({ vertex, target: pointOf(truth, vertex) }));
    const { pose, errors } = space.ofHandles(handles);
    expect(Math.max(...errors)).toBeLessThan(1e-2 * poser.size);
    expect(distance(shapeOf(pose), truth)).toBeLessThan(0.03 * poser.size);
  });

  it('holds a handle while a blend goes on, and hardly moves what is far', () => {
    const own = createPoseSpace(poser, { numerics });
    const [tip] = extremities(rest, 1);
    const free = shapeOf(own.ofExample(names[1]), own);
    const target = pointOf(free, tip).map((value, k) => value + (k === 1 ? 0.04 * poser.size : 0));
    own.setHandles([{ vertex: tip, target }]);
    const held = shapeOf(own.ofExample(names[1]), own);
    expect(Math.hypot(...target.map((value, k) => value - held[3 * tip + k]))).toBeLessThan(0.01 * poser.size);
    const far = Array.from({ length: rest.length / 3 }, (_, i) => i).filter(
      (i) => Math.hypot(...[0, 1, 2].map((k) => rest[3 * i + k] - rest[3 * tip + k])) > 0.6 * poser.size,
    );
    const moved = far.map((i) => Math.hypot(...[0, 1, 2].map((k) => held[3 * i + k] - free[3 * i + k])));
    expect(far.length).toBeGreaterThan(5);
    expect(Math.max(...moved)).toBeLessThan(0.01 * poser.size);
    own.setHandles([]);
    expect(distance(shapeOf(own.ofExample(names[1]), own), free)).toBeLessThan(1e-6 * poser.size);
    own.dispose();
  });

  it('moves a foot exactly, in whatever direction the whole is turned, and not the other end', () => {
    expect(space.feet.length).toBeGreaterThan(0);
    const [foot] = space.feet;
    space.pose(space.ofExample(names[0]), transforms);
    const before = space.positions(transforms, new Float32Array(rest.length));
    const shift = Float64Array.of(0.03, -0.02, 0.01);
    foot.reach(transforms, shift);
    const after = space.positions(transforms, new Float32Array(rest.length));
    for (let r = 0; r < 3; r++) {
      expect(after[3 * foot.vertex + r] - before[3 * foot.vertex + r]).toBeCloseTo(shift[r], 2);
    }
    const farthest = extremities(rest, 8).reduce((best, i) =>
      Math.hypot(...[0, 1, 2].map((k) => rest[3 * i + k] - rest[3 * foot.vertex + k])) >
      Math.hypot(...[0, 1, 2].map((k) => rest[3 * best + k] - rest[3 * foot.vertex + k]))
        ? i
        : best,
    );
    const moved = Math.hypot(...[0, 1, 2].map((k) => after[3 * farthest + k] - before[3 * farthest + k]));
    expect(moved).toBeLessThan(0.1 * Math.hypot(...shift));
  });

  it('refuses a poser without examples', () => {
    const none = { ...clip, times: new Float64Array(0), transforms: new Float64Array(0) };
    const empty = { ...poser, exampleNames: [], exampleDetails: [], regions: undefined };
    const bare = { ...empty, exampleLogs: none.transforms, exampleStretches: none.transforms };
    expect(() => createPoseSpace({ ...bare, exampleTransforms: none.transforms }, { numerics })).toThrow(/no examples/);
  });
});

describe('extendPoser', () => {
  it('adds an example that the space then knows, and keeps the others', () => {
    space.pose(space.ofBlend(names.map((_, e) => (e < 2 ? 0.5 : 0))), transforms);
    const positions = space.positions(transforms, new Float32Array(rest.length));
    const richer = extendPoser({ poser, added: [{ name: 'half', transforms: transforms.slice(), positions }] });
    expect(richer.exampleNames).toEqual([...names, 'half']);
    const own = createPoseSpace(richer, { numerics });
    expect(distance(shapeOf(own.ofExample('half'), own), positions)).toBeLessThan(2e-3 * poser.size);
    expect(distance(shapeOf(own.ofExample(names[2]), own), frameAt(sequence, 2))).toBeLessThan(2e-3 * poser.size);
    own.dispose();
    const twice = [{ name: names[0], transforms: transforms.slice() }];
    expect(() => extendPoser({ poser, added: twice })).toThrow(/two examples are called 'step 0'/);
  });
});
