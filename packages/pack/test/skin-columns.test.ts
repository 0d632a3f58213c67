import { describe, expect, it } from 'vitest';
import type { PackedWeights } from '../src/pack-plan.ts';
import { alignSkinColumns, sharesRigidWeights, skinColumns } from '../src/skin-columns.ts';

/** Every vertex follows one joint, in turns. */
function rigid(count: number, joints = 2): PackedWeights {
  const values = Uint16Array.from({ length: 4 * count }, (_, k) => (k % 4 ? 0 : 255));
  const bound = Uint16Array.from({ length: 4 * count }, (_, k) => (k % 4 ? 9 : (k / 4) % joints));
  return { slots: 4, joints: bound, weights: Float32Array.from(values, (v) => v / 255), values, whole: 255 };
}

function blended(): PackedWeights {
  const values = Uint16Array.of(200, 55, 0, 0, 255, 0, 0, 0);
  const joints = Uint16Array.of(3, 1, 0, 0, 1, 0, 0, 0);
  return { slots: 4, joints, weights: Float32Array.from(values, (v) => v / 255), values, whole: 255 };
}

describe('sharesRigidWeights', () => {
  it('where one array of floats is no longer than bytes for all parts', () => {
    expect(sharesRigidWeights([rigid(10), rigid(10), rigid(10), rigid(10)])).toBe(true);
    expect(sharesRigidWeights([rigid(10), rigid(10), rigid(10), rigid(9)])).toBe(false);
    expect(sharesRigidWeights([rigid(1), undefined, blended()])).toBe(false);
  });
});

describe('skinColumns', () => {
  it('are whole numbers, with joint 0 where there is no weight', () => {
    const [joints, weights] = skinColumns(rigid(2), false);
    expect([...joints.bytes]).toEqual([0, 0, 0, 0, 1, 0, 0, 0]);
    expect([...weights.bytes]).toEqual([255, 0, 0, 0, 255, 0, 0, 0]);
    expect([weights.normalized, weights.componentType]).toEqual([true, 5121]);
  });

  it('have floats for rigid parts where those are shared, and for them alone', () => {
    const [joints, weights] = skinColumns(rigid(2), true);
    expect([joints.componentType, weights.componentType, weights.stride]).toEqual([5121, 5126, 16]);
    expect(weights.normalized).toBe(false);
    expect([...new Float32Array(weights.bytes.buffer)]).toEqual([1, 0, 0, 0, 1, 0, 0, 0]);
    expect(skinColumns(blended(), true)[1].componentType).toBe(5121);
    expect(skinColumns(undefined, true)).toEqual([]);
  });

  it('align joints of neighbours, unless weights are floats', () => {
    const columns = skinColumns(blended(), false);
    alignSkinColumns(columns);
    expect([...columns[0].bytes]).toEqual([3, 1, 0, 0, 0, 1, 0, 0]);
    expect([...columns[1].bytes]).toEqual([200, 55, 0, 0, 0, 255, 0, 0]);
    const floats = skinColumns(rigid(3), true);
    const before = floats.map(({ bytes }) => [...bytes]);
    alignSkinColumns(floats);
    expect(floats.map(({ bytes }) => [...bytes])).toEqual(before);
  });
});
