import { Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import { sampleChannel } from '../../src/gltf/sample-channel.ts';
import type { GltfChannel } from '../../src/gltf/scene.ts';

function channel(over: Partial<GltfChannel>): GltfChannel {
  return {
    node: 0,
    path: 'translation',
    interpolation: 'LINEAR',
    times: Float32Array.of(1, 2, 4),
    size: 1,
    values: Float32Array.of(10, 20, 40),
    ...over,
  };
}

const at = (one: GltfChannel, time: number) => [...sampleChannel(one, time, new Float64Array(one.size))];

it('is its keys at its keys, and holds the first and the last outside', () => {
  for (const interpolation of ['LINEAR', 'STEP'] as const) {
    const one = channel({ interpolation });
    expect([0, 1, 2, 4, 9].map((time) => at(one, time)[0])).toEqual([10, 10, 20, 40, 40]);
  }
});

it('goes straight from key to key, or stays until the next', () => {
  expect(at(channel({}), 3)).toEqual([30]);
  expect(at(channel({ interpolation: 'STEP' }), 3.99)).toEqual([20]);
});

it('has one key', () => {
  const one = channel({ times: Float32Array.of(1), values: Float32Array.of(5) });
  expect([0, 1, 2].map((time) => at(one, time)[0])).toEqual([5, 5, 5]);
});

it('takes the last of keys at one moment', () => {
  const one = channel({ times: Float32Array.of(1, 1, 2), values: Float32Array.of(1, 2, 3) });
  expect(at(one, 1)).toEqual([2]);
  expect(at(one, 1.5)).toEqual([2.5]);
});

describe('cubic splines', () => {
  // in-tangent, value, out-tangent for each of two keys, two seconds apart
  const spline = channel({
    interpolation: 'CUBICSPLINE',
    times: Float32Array.of(1, 3),
    values: Float32Array.of(9, 0, 1, 1, 4, 9),
  });

  it('pass through their keys', () => {
    expect([0, 1, 3, 5].map((time) => at(spline, time)[0])).toEqual([0, 0, 4, 4]);
  });

  it('leave and arrive with their tangents, which are per second', () => {
    const h = 1e-5;
    expect((at(spline, 1 + h)[0] - at(spline, 1)[0]) / h).toBeCloseTo(1, 3);
    expect((at(spline, 3)[0] - at(spline, 3 - h)[0]) / h).toBeCloseTo(1, 3);
  });

  it('are the Hermite polynomial', () => {
    // u = 1/2, span 2: (0 + 4)/2 + 2·(1 − 1)/8
    expect(at(spline, 2)[0]).toBeCloseTo(2, 12);
  });
});

describe('rotations', () => {
  const a = new Quaternion(0.1, 0.2, 0.3, 0.9).normalize();
  const b = new Quaternion(-0.5, 0.1, 0.4, 0.2).normalize();

  function turning(from: Quaternion, to: Quaternion, factor = 1): GltfChannel {
    const values = [...from.toArray(), ...to.toArray()].map((value) => factor * value);
    return channel({ path: 'rotation', size: 4, times: Float32Array.of(0, 1), values: Float32Array.from(values) });
  }

  it('turn at constant speed along the shorter arc', () => {
    for (const to of [b, b.clone().set(-b.x, -b.y, -b.z, -b.w)]) {
      for (const u of [0.1, 0.5, 0.9]) {
        const expected = a.clone().slerp(to, u);
        const actual = new Quaternion(...at(turning(a, to), u));
        expect(Math.abs(actual.dot(expected))).toBeCloseTo(1, 6);
      }
    }
  });

  it('need not have unit length', () => {
    const [unit, long] = [turning(a, b), turning(a, b, 1.007)].map((one) => at(one, 0.3));
    unit.forEach((value, k) => {
      expect(long[k]).toBeCloseTo(value, 6);
    });
  });

  it('survive quaternions of zeros', () => {
    const zero = new Quaternion(0, 0, 0, 0);
    expect(Math.hypot(...at(turning(zero, b), 0.5))).toBeCloseTo(1, 6);
  });
});
