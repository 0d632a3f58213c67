import { openNumerics } from '@pelt/math';
import { InputError, NO_VERTEX, validateSkinWeights } from '@pelt/model';
import { cylinder } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { tetrahedralize } from '../../../src/tetrahedra/tetrahedralize.ts';
import { bindVolume } from '../../../src/volume/training/bind-volume.ts';
import { boneSegments } from '../../../src/volume/training/bone-segments.ts';
import { nearestSegments } from '../../../src/volume/training/nearest-segments.ts';
import { joined, sphere, torus } from '../shapes.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

const boneAt = (parent: number, x: number, y: number, z: number) => ({
  name: '',
  parent,
  rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z),
});

describe('binding a body to bones', () => {
  const scene = cylinder({ sides: 16, bones: 3 });
  const { mesh: body } = tetrahedralize(scene.mesh);
  const tips = new Map([[2, scene.tip]]);

  it('has a segment from each joint to each child, and one to each tip', () => {
    // A hip with a spine and a leg; the leg has a foot.
    const bones = [boneAt(-1, 0, 0, 0), boneAt(0, 0, 1, 0), boneAt(0, 0, -1, 0), boneAt(2, 0, -3, 0)];
    const segments = boneSegments(bones, new Map([[1, [0, 5, 0]]]));
    expect(segments.map(({ bone, to }) => [bone, ...to])).toEqual([
      [0, 0, 1, 0],
      [0, 0, -1, 0],
      [1, 0, 5, 0],
      [2, 0, -3, 0],
      [3, 0, -4.2, 0],
    ]);
  });

  it('gives a cylinder one ring at the middle of each bone, which follows it alone', () => {
    const { skin, fixed } = bindVolume({ body, bones: scene.bones }, { tips }, { numerics });
    const rings = scene.middles.flat().map((i) => body.surface[i]);
    expect([...fixed]).toEqual([...rings].sort((a, b) => a - b));
    scene.middles.forEach((ring, j) => {
      for (const i of ring) {
        const v = body.surface[i];
        expect(skin.bones[4 * v]).toBe(j);
        expect(skin.weights[4 * v]).toBe(1);
      }
    });
  });

  it('gives a slender bone two rings, and leaves its joints as free as short ones', () => {
    const long = cylinder({ sides: 16, bones: 2 });
    const { mesh } = tetrahedralize(long.mesh);
    const { skin, fixed } = bindVolume(
      { body: mesh, bones: long.bones },
      { tips: new Map([[1, long.tip]]) },
      { numerics },
    );
    // Six radii long; rings lie one and a half from each end.
    const rings = [1.5, 4.5, 7.5, 10.5].map((at) => fixed.filter((v) => Math.abs(mesh.positions[3 * v] - at) < 0.3));
    expect(rings.map((ring) => ring.length >= 16)).toEqual([true, true, true, true]);
    expect(rings.map((ring) => new Set(Array.from(ring, (v) => skin.bones[4 * v])))).toEqual(
      [0, 0, 1, 1].map((bone) => new Set([bone])),
    );
    expect(rings.reduce((sum, ring) => sum + ring.length, 0)).toBe(fixed.length);
  });

  it('has convex weights that fall from bone to bone along the cylinder', () => {
    const { skin } = bindVolume({ body, bones: scene.bones }, { tips }, { numerics });
    validateSkinWeights(skin, body.positions.length / 3, 3);
    const weightOf = (v: number, bone: number) => {
      for (let s = 4 * v; s < 4 * v + 4; s++) if (skin.weights[s] > 0 && skin.bones[s] === bone) return skin.weights[s];
      return 0;
    };
    // Along a line of vertices from the first bone's middle to the second's.
    let last = 1.01;
    for (const ring of scene.rings.filter((_, r) => r % 2 === 0)) {
      const v = body.surface[ring[0]];
      const x = body.positions[3 * v];
      if (x < 2 || x > 6) continue;
      expect(weightOf(v, 0)).toBeLessThanOrEqual(last + 1e-3);
      last = weightOf(v, 0);
      if (Math.abs(x - 4) < 0.01) expect(Math.abs(last - 0.5)).toBeLessThan(0.15);
    }
    expect(last).toBeLessThan(0.05);
  });

  it('measures distance through the body, not through the air', () => {
    // An open ring of a torus would be cut by the plane y = 0; the bone lies in its right half, on the inside.
    const mesh = torus(64, 16);
    const { mesh: ring } = tetrahedralize(mesh);
    const right = { bone: 0, from: [1, -0.1, 0], to: [1, 0.1, 0] } as const;
    const top = { bone: 1, from: [-0.1, 1, 0], to: [0.1, 1, 0] } as const;
    const { segment, distance } = nearestSegments(ring, [right, top]);
    for (let v = 0; v < segment.length; v++) {
      const [x, y] = [ring.positions[3 * v], ring.positions[3 * v + 1]];
      // Opposite to the first bone the way round is longer than the straight one through the hole.
      if (Math.atan2(y, x) < (-3 * Math.PI) / 4 + 0.3 && Math.atan2(y, x) > (-3 * Math.PI) / 4 - 0.3) {
        expect(distance[v]).toBeGreaterThan(0.65 * 1.9);
      }
    }
  });

  it('takes the constraints that it is given', () => {
    const constraints = Uint32Array.of(3, 5, 8);
    const { fixed } = bindVolume({ body, bones: scene.bones }, { tips, constraints }, { numerics });
    expect([...fixed]).toEqual([...constraints].map((i) => body.surface[i]).sort((a, b) => a - b));
    expect(() => bindVolume({ body, bones: scene.bones }, { constraints: Uint32Array.of(1e6) }, { numerics })).toThrow(
      InputError,
    );
    const unused = { ...body, surface: body.surface.with(3, NO_VERTEX) };
    expect(() => bindVolume({ body: unused, bones: scene.bones }, { constraints }, { numerics })).toThrow(
      /not part of a triangle/,
    );
  });

  it('holds short bones in a thick body by a core inside, and lets no tetrahedron be held by two bones', () => {
    const { mesh: ball } = tetrahedralize(sphere(3));
    const bones = [boneAt(-1, -0.45, 0, 0), boneAt(0, 0, 0, 0)];
    const { skin, fixed } = bindVolume({ body: ball, bones }, { tips: new Map([[1, [0.45, 0, 0]]]) }, { numerics });
    const surface = new Set(ball.surface);
    const boneOf = new Map(Array.from(fixed, (v) => [v, skin.bones[4 * v]]));
    expect(new Set(boneOf.values())).toEqual(new Set([0, 1]));
    for (const [v, bone] of boneOf) {
      expect(surface.has(v)).toBe(false);
      expect(Math.sign(ball.positions[3 * v])).toBe(bone === 0 ? -1 : 1);
    }
    for (let k = 0; k < ball.tetrahedra.length; k += 4) {
      const held = [...ball.tetrahedra.subarray(k, k + 4)].flatMap((v) => boneOf.get(v) ?? []);
      expect(new Set(held).size).toBeLessThan(2);
    }
  });

  it('lets a part without a ring follow the bones as a whole', () => {
    const eye = sphere(1, 0.2, [5, 0, 1.6]);
    const mesh = joined([scene.mesh, eye]);
    const { mesh: both } = tetrahedralize(mesh);
    const { fixed } = bindVolume({ body: both, bones: scene.bones }, { tips }, { numerics });
    const isFixed = new Set(fixed);
    for (let i = scene.mesh.positions.length / 3; i < mesh.positions.length / 3; i++) {
      expect(isFixed.has(both.surface[i])).toBe(true);
    }
    // The same where the constraints are listed and name none of it.
    const listed = bindVolume(
      { body: both, bones: scene.bones },
      { tips, constraints: Uint32Array.from(scene.middles.flat()) },
      { numerics },
    );
    expect([...listed.fixed]).toEqual([...fixed]);
  });

  it('refuses a skeleton without bones', () => {
    expect(() => bindVolume({ body, bones: [] }, {}, { numerics })).toThrow(/no bones/);
  });
});
