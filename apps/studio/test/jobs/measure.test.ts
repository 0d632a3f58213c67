import { IDENTITY_TRANSFORM, type MeshSequence, type Rig } from '@pelt/model';
import { armScene, creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { measure } from '../../src/jobs/measure.ts';

const all = (count: number) => Uint32Array.from({ length: count }, (_, i) => i);

describe('measure', () => {
  it('finds no error where the rig plays the animation', () => {
    const { sequence, rig, clip } = creatureScene({ detail: 0.12, frames: 5 });
    const { frameErrors, spread } = measure(sequence, { rig, clip, vertices: all(rig.mesh.positions.length / 3) });
    expect(frameErrors).toHaveLength(5);
    expect(Math.max(...frameErrors)).toBeLessThan(1e-3);
    expect(spread.p999).toBeLessThan(1e-6);
  });

  it('is the distance over radius and diagonal in a case by hand, repeated vertices counted once', () => {
    // Two points 2 apart, so radius 1 and diagonal 2; in the second frame one of them is 0.6 off.
    const mesh = { name: '', positions: Float32Array.of(-1, 0, 0, 1, 0, 0), triangles: new Uint32Array(0) };
    const frames = Float32Array.of(-1, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0.6, 0);
    const sequence: MeshSequence = { name: '', rest: mesh, frames, times: Float64Array.of(0, 1) };
    const rig: Rig = {
      name: '',
      // The file repeats the second point.
      mesh: { ...mesh, positions: Float32Array.of(-1, 0, 0, 1, 0, 0, 1, 0, 0) },
      bones: [{ name: 'a', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
      weights: { slots: 1, bones: new Uint16Array(3), weights: Float32Array.of(1, 1, 1) },
    };
    const transforms = Float64Array.from([...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM]);
    const clip = { name: '', times: sequence.times, transforms };
    const { frameErrors, spread } = measure(sequence, { rig, clip, vertices: Uint32Array.of(0, 1, 1) });
    expect(frameErrors[0]).toBe(0);
    expect(frameErrors[1]).toBeCloseTo(1000 * Math.sqrt(0.36 / 6), 4);
    expect(spread.p999).toBeCloseTo(0.3, 6);
    expect(spread.median).toBe(0);
  });

  it('does not depend on the unit of length', () => {
    const { sequence, rig, clip } = armScene({ frames: 3 });
    const vertices = all(rig.mesh.positions.length / 3);
    const scaled = (values: Float32Array) => values.map((value) => 1000 * value);
    const larger = {
      ...sequence,
      frames: scaled(sequence.frames),
      rest: { ...sequence.rest, positions: scaled(sequence.rest.positions) },
    };
    const transforms = clip.transforms.map((value, k) => (k % 4 === 3 ? 1000 * value : value));
    const played = { rig: { ...rig, mesh: larger.rest }, clip: { ...clip, transforms }, vertices };
    const [small, large] = [measure(sequence, { rig, clip, vertices }), measure(larger, played)];
    large.frameErrors.forEach((error, t) => {
      expect(error).toBeCloseTo(small.frameErrors[t], 2);
    });
  });

  it('gives numbers for a model without size', () => {
    const mesh = { name: '', positions: new Float32Array(3), triangles: new Uint32Array(0) };
    const sequence: MeshSequence = { name: '', rest: mesh, frames: new Float32Array(3), times: Float64Array.of(0) };
    const rig: Rig = {
      name: '',
      mesh,
      bones: [{ name: 'a', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
      weights: { slots: 1, bones: new Uint16Array(1), weights: Float32Array.of(1) },
    };
    const clip = { name: '', times: sequence.times, transforms: Float64Array.from(IDENTITY_TRANSFORM) };
    expect(measure(sequence, { rig, clip, vertices: all(1) }).frameErrors).toEqual([0]);
  });
});
