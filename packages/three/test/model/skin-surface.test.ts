import { BufferAttribute, BufferGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import { linearModel } from '../../src/index.ts';
import { SkinSurface } from '../../src/model/skin-surface.ts';

function part(positions: BufferAttribute, index: number[] | null, bones: number[]) {
  const geometry = new BufferGeometry().setIndex(index);
  geometry.setAttribute('position', positions);
  const skin = {
    slots: bones.length / positions.count,
    bones: Uint16Array.from(bones),
    weights: new Float32Array(bones.length),
  };
  return { geometry, model: linearModel(skin) };
}

const points = (...numbers: number[]) => new BufferAttribute(Float32Array.from(numbers), 3);

describe('SkinSurface', () => {
  it('is the mesh itself where there is one part', () => {
    const only = part(points(0, 0, 0, 1, 0, 0, 0, 1, 0), [0, 1, 2], [0, 1, 2]);
    const surface = new SkinSurface([only]);
    expect(surface.model).toBe(only.model);
    expect([surface.count, surface.offsetOf(only.geometry), surface.morphCount]).toEqual([3, 0, 0]);
    expect([...surface.triangles()]).toEqual([0, 1, 2]);
    expect(surface.normals()).toBeUndefined();
  });

  it('has vertices once that parts share', () => {
    const shared = points(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
    const parts = [
      [0, 1, 2],
      [2, 1, 3],
    ].map((index) => part(shared, index, [0, 0, 0, 0]));
    const surface = new SkinSurface(parts);
    expect(surface.count).toBe(4);
    expect([...surface.triangles()]).toEqual([0, 1, 2, 2, 1, 3]);
  });

  it('puts parts with vertices of their own one after the other, with as many slots as the most has', () => {
    const first = part(points(0, 0, 0, 1, 0, 0, 0, 1, 0), null, [0, 1, 2]);
    const second = part(points(5, 0, 0, 6, 0, 0, 5, 1, 0), [2, 1, 0], [3, 4, 5, 6, 7, 8]);
    second.geometry.morphAttributes.position = [points(9, 9, 9, 8, 8, 8, 7, 7, 7)];
    const surface = new SkinSurface([first, second]);
    expect(surface.offsetOf(second.geometry)).toBe(3);
    expect([...surface.positions()].filter((_, k) => k % 3 === 0)).toEqual([0, 1, 0, 5, 6, 5]);
    expect([...surface.triangles()]).toEqual([0, 1, 2, 5, 4, 3]);
    // Three vertices with one slot and an empty one, then three with two.
    expect([...surface.model.skin.bones]).toEqual([0, 0, 1, 0, 2, 0, 3, 4, 5, 6, 7, 8]);
    expect([...surface.morph(0)].filter((_, k) => k % 3 === 0)).toEqual([0, 0, 0, 9, 8, 7]);
  });
});
