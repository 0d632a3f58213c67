import { type Rig, UsageError } from '@pelt/model';
import { barCharacter, dogCharacter, octopusCharacter, stickRig } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { CharacterShape } from '../../../src/puppet/runtime/character-shape.ts';

const { rig: dog } = dogCharacter(0.05);
const standing = (rig: Rig, y = 0) => Float64Array.from(rig.bones.flatMap(() => [1, 0, 0, 0, 0, 1, 0, y, 0, 0, 1, 0]));
const shape = new CharacterShape(dog, [standing(dog)]);

describe('CharacterShape', () => {
  it('knows ground, height and root', () => {
    expect(shape.floor).toBeCloseTo(0, 1);
    expect(shape.height).toBeGreaterThan(0.9);
    expect(shape.height).toBeLessThan(1.1);
    expect([...shape.pivot()]).toEqual([0, 0.56, -0.26]);
  });

  it('finds the feet', () => {
    const feet = shape.feet('auto');
    expect(feet.map(({ bone }) => dog.bones[bone].name).sort()).toEqual([
      'left fore foot',
      'left hind foot',
      'right fore foot',
      'right hind foot',
    ]);
    for (const { points } of feet) {
      expect(points).toHaveLength(1);
      expect(points[0].point[1] - shape.floor).toBeLessThan(0.03);
    }
    const [named] = shape.feet(['left fore foot']);
    expect(named.points[0].point[0]).toBeGreaterThan(0);
    expect(shape.feet([named.bone])).toEqual([named]);
    expect(() => shape.feet(['wing'])).toThrow(UsageError);
  });

  it('takes what hangs on a loose bone along, with the middle of what each carries', () => {
    const loose = shape.looseBones(['tail 1', 'left ear']);
    expect(loose.map((j) => dog.bones[j].name)).toEqual(['left ear', 'tail 1', 'tail 2']);
    const tips = shape.tips(loose);
    // The tail's pieces go up and back from their joints.
    for (const k of [1, 2]) {
      expect(tips[3 * k + 1]).toBeGreaterThan(dog.bones[loose[k]].rest[7]);
      expect(tips[3 * k + 2]).toBeLessThan(dog.bones[loose[k]].rest[11]);
    }
  });

  it('takes the ground from the poses it stands in', () => {
    const jumping = [standing(dog, 7), standing(dog, 9), standing(dog, 7)];
    expect(new CharacterShape(dog, jumping).floor).toBeCloseTo(shape.floor + 7, 6);
    expect(new CharacterShape(dog, [standing(dog, 7)]).floor).toBeCloseTo(shape.floor + 7, 6);
    expect(new CharacterShape(dog, [standing(dog, 7)]).height).toBeCloseTo(shape.height, 6);
  });

  const shapeOf = (rig: Rig) => new CharacterShape(rig, [standing(rig)]);

  it('does with characters without feet, without height, without vertices', () => {
    expect(shapeOf(barCharacter().rig).feet('auto')).toHaveLength(1);
    expect(shapeOf(octopusCharacter(0.08).rig).height).toBeGreaterThan(0.6);
    const rig = stickRig('dot', [{ name: 'a', parent: -1, rest: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0) }]);
    const flat = {
      ...rig,
      mesh: { ...rig.mesh, positions: rig.mesh.positions.map((value, k) => (k % 3 === 1 ? 0 : value)) },
    };
    expect(shapeOf(flat).height).toBeGreaterThan(0);
    const none = { ...rig, mesh: { ...rig.mesh, positions: new Float32Array(), triangles: new Uint32Array() } };
    expect(shapeOf(none).height).toBe(1);
    expect([...shapeOf(none).tips([0])]).toEqual([0, 0, 0]);
  });
});
