import { type Numerics, openNumerics } from '@pelt/math';
import { frameAt, InputError, poseAt } from '@pelt/model';
import { armScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tetrahedralize } from '../../../src/tetrahedra/tetrahedralize.ts';
import {
  type BlendedShapes,
  createShapeBlender,
  type ShapeBlender,
} from '../../../src/volume/runtime/shape-blender.ts';
import { StretchLogs } from '../../../src/volume/runtime/stretch-log.ts';
import { createVolumeDeformer, type VolumeBinding } from '../../../src/volume/runtime/volume-deformer.ts';
import { bindVolume } from '../../../src/volume/training/bind-volume.ts';
import { learnShapes, type ShapeExample } from '../../../src/volume/training/learn-shapes.ts';

describe('logarithms of stretches', () => {
  it.each([
    ['of none is 0', [1, 0, 0, 1, 0, 1], [0, 0, 0, 0, 0, 0]],
    ['of an even stretch', [2, 0, 0, 2, 0, 2], [Math.LN2, 0, 0, Math.LN2, 0, Math.LN2]],
    ['of three stretches along the axes', [Math.E, 0, 0, 1, 0, 1 / Math.E], [1, 0, 0, 0, 0, -1]],
    // Eigenvalues 3 and 1 along the diagonals of x and y.
    ['of a turned one', [2, 1, 0, 2, 0, 1], [Math.log(3) / 2, Math.log(3) / 2, 0, Math.log(3) / 2, 0, 0]],
  ])('%s', (_, stretch, log) => {
    const logs = new StretchLogs();
    const [there, back] = [new Float64Array(6), new Float64Array(6)];
    logs.log(stretch, 0, there, 0);
    logs.exp(there, 0, back, 0);
    for (let k = 0; k < 6; k++) {
      expect(there[k]).toBeCloseTo(log[k], 12);
      expect(back[k]).toBeCloseTo(stretch[k], 12);
    }
  });

  it('keeps an inverted stretch within bounds', () => {
    const log = new Float64Array(6);
    new StretchLogs().log([1, 0, 0, 1, 0, -0.5], 0, log, 0);
    for (let k = 0; k < 5; k++) expect(log[k]).toBeCloseTo(0, 12);
    expect(log[5]).toBeCloseTo(-Math.LN10, 12);
  });
});

describe('shapes learnt from the arm', () => {
  const { sequence, rig, clip } = armScene();
  const m = rig.bones.length;
  const { mesh: body } = tetrahedralize(sequence.rest);
  const taught = [0, 8, 15, 22, 30, 38, 45, 52];
  let numerics: Numerics;
  let binding: VolumeBinding;
  let blender: ShapeBlender;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 2 });
    binding = bindVolume({ body, bones: rig.bones }, { tips: new Map([[3, [0.74, 0, 0]]]) }, { numerics });
    const examples = taught.map((t) => ({
      transforms: poseAt(clip, t, m).transforms,
      positions: frameAt(sequence, t),
    }));
    blender = createShapeBlender({ shapes: learn(examples), binding });
  });
  afterAll(() => numerics.close());

  const modelOf = () => ({ surface: sequence.rest, bones: rig.bones, binding });
  const learn = (examples: readonly ShapeExample[]) => learnShapes({ ...modelOf(), examples }, {}, { numerics });

  /** Root mean square distance from the scene's frames. */
  const errorOver = (frames: readonly number[], shapesOf: (transforms: Float64Array) => BlendedShapes | undefined) => {
    const deformer = createVolumeDeformer(modelOf(), {}, { numerics });
    const out = new Float32Array(sequence.rest.positions.length);
    let sum = 0;
    for (const t of frames) {
      const { transforms } = poseAt(clip, t, m);
      deformer.setShapes(shapesOf(transforms));
      deformer.deform(transforms, out);
      const truth = frameAt(sequence, t);
      out.forEach((value, k) => {
        sum += (value - truth[k]) ** 2;
      });
    }
    deformer.dispose();
    return Math.sqrt((3 * sum) / (out.length * frames.length));
  };

  it('keep the rest pose', () => {
    expect(errorOver([0], (transforms) => blender.blend(transforms))).toBeLessThan(1e-6);
  });

  it('are the examples at the examples', () => {
    expect(errorOver(taught, (transforms) => blender.blend(transforms))).toBeLessThan(1e-3);
  });

  it('bring frames that were not taught to a tenth of the error', () => {
    const others = [4, 12, 18, 26, 33, 41, 49, 56];
    const plain = errorOver(others, () => undefined);
    const shaped = errorOver(others, (transforms) => blender.blend(transforms));
    expect(shaped).toBeLessThan(0.12 * plain);
  });

  it('refuse nothing, and what does not fit', () => {
    expect(() => learn([])).toThrow(InputError);
    const { transforms } = poseAt(clip, 0, m);
    expect(() => learn([{ transforms, positions: new Float32Array(3) }])).toThrow(/example 0/);
    const shapes = learn([{ transforms, positions: frameAt(sequence, 0) }]);
    const halved = { ...shapes, logs: shapes.logs.subarray(6) };
    expect(() => createShapeBlender({ shapes: halved, binding })).toThrow(InputError);
  });
});
