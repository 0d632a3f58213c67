import { UsageError } from '@pelt/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evenFrames, type FrameSource, readFrames } from '../src/frame-source.ts';
import { FrameFiles } from '../src/frames.ts';
import { bytesOf } from './meshes.ts';

const triangle = { name: 'triangle', positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) };

/** Frame t holds the number t; counts what is read. */
class Counted implements FrameSource {
  readonly name = 'counted';
  readonly label = 'test';
  readonly rest = triangle;
  readonly times = Float64Array.of(0, 0.5, 1, 3, 4);
  readonly read: number[] = [];

  readFrame(t: number, out: Float32Array): void {
    this.read.push(t);
    out.fill(t);
  }
}

describe('readFrames', () => {
  it('reads all frames, each once and in order', () => {
    const source = new Counted();
    const { frames, times, rest, name } = readFrames(source);
    expect(source.read).toEqual([0, 1, 2, 3, 4]);
    expect([...frames].filter((_, k) => k % 9 === 0)).toEqual([0, 1, 2, 3, 4]);
    expect({ times, rest, name }).toEqual({ times: source.times, rest: triangle, name: 'counted' });
  });

  it('reads no frame that is not asked for, and starts the time at the first', () => {
    const source = new Counted();
    const { frames, times } = readFrames(source, { frames: [1, 3] });
    expect(source.read).toEqual([1, 3]);
    expect(frames).toEqual(Float32Array.of(...Array(9).fill(1), ...Array(9).fill(3)));
    expect([...times]).toEqual([0, 2.5]);
  });

  it.each([[[]], [[5]], [[-1]], [[0.5]], [[2, 2]], [[3, 1]]])('refuses the frames %j', (frames) => {
    expect(() => readFrames(new Counted(), { frames })).toThrow(UsageError);
  });

  it('says what it would need where no memory is large enough', () => {
    const huge = { ...new Counted(), rest: { ...triangle, positions: { length: 3e8 } }, times: { length: 1e5 } };
    expect(() => readFrames(huge as unknown as FrameSource)).toThrow(
      'test: 100000 frames of 100000000 vertices need 120000.0 GB, which does not fit into memory; read fewer frames',
    );
  });
});

describe('evenFrames', () => {
  it('takes the ends and what lies evenly between', () => {
    expect([...evenFrames(9, 3)]).toEqual([0, 4, 8]);
    expect([...evenFrames(10, 4)]).toEqual([0, 3, 6, 9]);
    expect([...evenFrames(5, 1)]).toEqual([0]);
    expect([...evenFrames(3, 7)]).toEqual([0, 1, 2]);
  });

  it('gives distinct frames in order, at distances that differ by one at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 2, max: 5000 }), (total, wanted) => {
        const frames = evenFrames(total, wanted);
        expect(frames.length).toBe(Math.min(total, wanted));
        const steps = Array.from(frames.subarray(1), (t, k) => t - frames[k]);
        expect(frames[0]).toBe(0);
        expect(frames[frames.length - 1]).toBe(total - 1);
        expect(Math.max(0, ...steps) - Math.min(...steps, total)).toBeLessThanOrEqual(1);
        expect(steps.every((step) => step > 0)).toBe(true);
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %d frames', (wanted) => {
    expect(() => evenFrames(5, wanted)).toThrow(UsageError);
  });
});

describe('FrameFiles', () => {
  const file = (t: number) => `v ${t} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n`;

  it('opens a file when its frame is read, and the first only once', () => {
    const opened: number[] = [];
    const files = [2, 0, 1].map((t) => ({
      name: `a-${t}.obj`,
      bytes: () => {
        opened.push(t);
        return bytesOf(file(t));
      },
    }));
    const animation = new FrameFiles(files);
    expect(opened).toEqual([0]);
    const out = new Float32Array(9);
    animation.readFrame(2, out);
    expect(out[0]).toBe(2);
    animation.readFrame(0, out);
    expect(opened).toEqual([0, 2]);
    animation.readFrame(0, out);
    expect(opened).toEqual([0, 2, 0]);
    expect(() => animation.readFrame(3, out)).toThrow('there is no frame 3');
    expect(() => animation.readFrame(0, new Float32Array(6))).toThrow('out has 6 numbers, expected 9');
  });
});
