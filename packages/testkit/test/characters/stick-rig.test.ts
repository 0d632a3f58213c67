import { type Bone, validateRig } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { stickRig } from '../../src/index.ts';
import { expectClosedSurface, volumeOf } from '../closed-surface.ts';

const boneAt = (name: string, parent: number, x: number, y: number): Bone => ({
  name,
  parent,
  rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0),
});

describe('stickRig', () => {
  it('gives every bone with a child a spindle and every end a knob, closed and facing outwards', () => {
    const rig = stickRig('y', [boneAt('root', -1, 0, 0), boneAt('left', 0, 1, 1), boneAt('right', 0, -1, 1)]);
    validateRig(rig);
    expect(rig.mesh.positions).toHaveLength(4 * 6 * 3);
    expect([...new Set(rig.weights.bones)].sort()).toEqual([0, 1, 2]);
    expectClosedSurface(rig.mesh);
    expect(volumeOf(rig.mesh.positions, rig.mesh.triangles)).toBeGreaterThan(0);
  });

  it('copes with one bone, and with joints in one place', () => {
    validateRig(stickRig('dot', [boneAt('root', -1, 2, 2)]));
    validateRig(stickRig('twice', [boneAt('root', -1, 0, 0), boneAt('same', 0, 0, 0), boneAt('end', 1, 0, 1)]));
  });
});
