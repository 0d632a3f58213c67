import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { frameAt, frameCount, type MeshSequence, uniformTimes, validateMeshSequence } from '../src/mesh-sequence.ts';

const sequence: MeshSequence = {
  name: 'flap',
  rest: { name: 'flap', positions: new Float32Array(9), triangles: new Uint32Array([0, 1, 2]) },
  frames: Float32Array.from({ length: 18 }, (_, k) => k),
  times: new Float64Array([0, 0.5]),
};

function expectInvalid(change: Partial<MeshSequence>, message: string): void {
  const changed = { ...sequence, ...change };
  expect(() => validateMeshSequence(changed)).toThrow(InputError);
  expect(() => validateMeshSequence(changed)).toThrow(message);
}

describe('MeshSequence', () => {
  it('has frames that are views', () => {
    expect(frameCount(sequence)).toBe(2);
    expect([...frameAt(sequence, 1)]).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17]);
    expect(frameAt(sequence, 1).buffer).toBe(sequence.frames.buffer);
  });

  it('has uniform times from 0', () => {
    expect([...uniformTimes(4, 4)]).toEqual([0, 0.25, 0.5, 0.75]);
    expect(uniformTimes(0, 30)).toHaveLength(0);
  });
});

describe('validateMeshSequence', () => {
  it('accepts a sequence, one frame, and a first time after 0', () => {
    validateMeshSequence(sequence);
    validateMeshSequence({ ...sequence, frames: new Float32Array(9), times: new Float64Array([2]) });
  });

  it('refuses no frames, wrong counts, numbers that are not finite, a bad rest', () => {
    expectInvalid({ frames: new Float32Array(), times: new Float64Array() }, "sequence 'flap': no frames");
    expectInvalid({ frames: new Float32Array(17) }, 'frames (2 frames of 3 vertices): length 17, expected 18');
    expectInvalid({ frames: sequence.frames.with(10, Number.NaN) }, 'frames: element 3 is NaN');
    expectInvalid({ rest: { ...sequence.rest, triangles: new Uint32Array([0, 1, 3]) } }, 'index 3');
  });

  it('wants times that rise', () => {
    expectInvalid({ times: new Float64Array([0, 0]) }, 'frame 1 at 0 s does not come after frame 0 at 0 s');
    expectInvalid({ times: new Float64Array([1, 0.5]) }, 'frame 1 at 0.5 s');
    expectInvalid({ times: new Float64Array([-1, 0]) }, 'frame 0 is at -1 s, before 0');
    expectInvalid({ times: new Float64Array([0, Number.NaN]) }, 'element 1 is NaN');
  });
});
