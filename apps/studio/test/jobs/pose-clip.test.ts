import { describe, expect, it } from 'vitest';
import { handlePath, handlesAt } from '../../src/jobs/pose-clip.ts';

const POSES = [
  { id: 'a', name: 'A', handles: [{ vertex: 1, target: [0, 0, 0] as const }] },
  { id: 'b', name: 'B', handles: [{ vertex: 0, target: [0, 4, 0] as const }] },
  { id: 'unused', name: 'C', handles: [{ vertex: 5, target: [0, 0, 0] as const }] },
];
/** Two vertices in each pose. */
const POINTS: Record<string, Float32Array> = {
  a: Float32Array.of(0, 0, 0, 1, 0, 0),
  b: Float32Array.of(0, 4, 0, 1, 0, 8),
};

const key = (frame: number, value: string) => ({ frame, value, ease: 'slow' as const });
const clipOf = (pose: ReturnType<typeof key>[], frames = 7) => ({ frames, fps: 24, closes: false, tracks: { pose } });

describe('handlePath', () => {
  const path = handlePath(clipOf([key(2, 'a'), key(6, 'b')]), POSES, (pose) => POINTS[pose]);

  it('moves every point that a keyed pose holds, and no other', () => {
    expect(path.fps).toBe(24);
    expect(path.handles.map(({ vertex }) => vertex)).toEqual([0, 1]);
  });

  it('holds the first pose up to its key, reaches the second at its own, and fills the clip', () => {
    const [first, second] = path.handles.map(({ positions }) => positions);
    expect(first).toHaveLength(7);
    for (const frame of [0, 1, 2]) expect(first[frame]).toEqual([0, 0, 0]);
    expect(first[6]).toEqual([0, 4, 0]);
    expect(second[6]).toEqual([1, 0, 8]);
  });

  it('is half-way in the middle, and eases at both ends', () => {
    const [first] = path.handles.map(({ positions }) => positions.map(([, y]) => y));
    expect(first[4]).toBeCloseTo(2, 10);
    expect(first[3]).toBeLessThan(1);
    expect(first[5]).toBeGreaterThan(3);
  });

  it('gives the handles of a frame, held after the last', () => {
    const at = handlesAt(path);
    expect(at(0)[0]).toEqual({ vertex: 0, target: [0, 0, 0] });
    expect(at(6)).toEqual(at(60));
  });

  it('holds a single key over the clip, and leaves out a pose that is gone', () => {
    const { handles } = handlePath(clipOf([key(0, 'a'), key(1, 'gone')], 2), POSES, (pose) => POINTS[pose]);
    expect(handles).toEqual([
      {
        vertex: 1,
        positions: [
          [1, 0, 0],
          [1, 0, 0],
        ],
      },
    ]);
  });
});
