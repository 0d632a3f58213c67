import { type Numerics, openNumerics, rotationExp } from '@pelt/math';
import { IDENTITY_TRANSFORM, InputError, type Mesh, type SkinWeights, UsageError } from '@pelt/model';
import { carriedTriangles, cylinder, roughness } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deformDualQuaternion } from '../../../src/shared/blending/dual-quaternion.ts';
import { tetrahedralize } from '../../../src/tetrahedra/tetrahedralize.ts';
import { measureBody } from '../../../src/volume/runtime/body-measures.ts';
import { createVolumeDeformer } from '../../../src/volume/runtime/volume-deformer.ts';
import { bindVolume } from '../../../src/volume/training/bind-volume.ts';
import { meshOf } from '../shapes.ts';

/** Largest distance between two sets of positions. */
function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < a.length; k += 3)
    most = Math.max(most, Math.hypot(a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]));
  return most;
}

/** Area of a ring of vertices, as a vector area, in areas at rest. */
function section(ring: readonly number[], positions: ArrayLike<number>, rest: ArrayLike<number>): number {
  const area = (p: ArrayLike<number>) => {
    const sum = [0, 0, 0];
    const at = (k: number) => [0, 1, 2].map((axis) => p[3 * ring[k % ring.length] + axis] - p[3 * ring[0] + axis]);
    for (let k = 0; k < ring.length; k++) {
      const [u, v] = [at(k), at(k + 1)];
      for (let axis = 0; axis < 3; axis++) {
        const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
        sum[axis] += u[y] * v[z] - u[z] * v[y];
      }
    }
    return Math.hypot(...sum);
  };
  return area(positions) / area(rest);
}

describe('volume deformer', () => {
  const scene = cylinder({ sides: 20 });
  const body = tetrahedralize(scene.mesh).mesh;
  const m = scene.bones.length;
  let numerics: Numerics;
  let binding: ReturnType<typeof bindVolume>;
  beforeAll(async () => {
    numerics = await openNumerics({ threads: 2 });
    binding = bindVolume({ body, bones: scene.bones }, { tips: new Map([[m - 1, scene.tip]]) }, { numerics });
  });
  afterAll(() => numerics.close());

  const modelOf = (surface: Mesh, bound = binding) => ({ surface, bones: scene.bones, binding: bound });
  const open = (options = {}) => createVolumeDeformer(modelOf(scene.mesh), options, { numerics });
  const room = () => new Float32Array(scene.mesh.positions.length);

  it.each([0, 40])('keeps the rest pose (volume weight %i)', (volumeWeight) => {
    const deformer = open({ volumeWeight });
    const out = room();
    const run = deformer.deform(scene.bent(0), out);
    expect(run.rounds).toBe(1);
    expect(farthest(out, scene.mesh.positions)).toBeLessThan(1e-14);
    deformer.dispose();
  });

  it('moves rigidly when the bones do', () => {
    const r = new Float64Array(9);
    rotationExp([1, 2, -0.5], 0, r, 0);
    const rigid = [0, 1, 2].flatMap((row) => [r[3 * row], r[3 * row + 1], r[3 * row + 2], row + 1]);
    const deformer = open();
    const out = room();
    deformer.deform(Float64Array.from(Array(m).fill(rigid).flat()), out);
    const p = scene.mesh.positions;
    const expected = p.map((_, k) => {
      const [row, v] = [4 * (k % 3), k - (k % 3)];
      return rigid[row] * p[v] + rigid[row + 1] * p[v + 1] + rigid[row + 2] * p[v + 2] + rigid[row + 3];
    });
    expect(farthest(out, expected)).toBeLessThan(1e-5);
    deformer.dispose();
  });

  /** Largest and mean distance of rings from where their bones put them, relative to the length of the cylinder. */
  const astray = (pose: Float64Array, out: Float32Array) => {
    const distances = scene.middles.flatMap((ring, j) =>
      ring.map((i) => {
        const [x, y, z] = scene.mesh.positions.subarray(3 * i, 3 * i + 3);
        const missing = [0, 1, 2].map((axis) => {
          const row = 12 * j + 4 * axis;
          return out[3 * i + axis] - (pose[row] * x + pose[row + 1] * y + pose[row + 2] * z + pose[row + 3]);
        });
        return Math.hypot(...missing) / scene.tip[0];
      }),
    );
    return { most: Math.max(...distances), mean: distances.reduce((sum, d) => sum + d, 0) / distances.length };
  };

  it('keeps constraints that were chosen exactly, and automatic ones near their bones', () => {
    const pose = scene.bent(70);
    const constraints = Uint32Array.from(scene.middles.flat());
    const chosen = bindVolume({ body, bones: scene.bones }, { constraints }, { numerics });
    // The weights of a chosen vertex are automatic; these follow one bone each, as rings do.
    const bound = { ...chosen, skin: binding.skin };
    const exact = createVolumeDeformer(modelOf(scene.mesh, bound), {}, { numerics });
    const out = room();
    exact.deform(pose, out);
    expect(astray(pose, out).most).toBeLessThan(1e-6);
    exact.dispose();
    const soft = open();
    soft.deform(pose, out);
    expect(astray(pose, out).mean).toBeLessThan(0.012);
    expect(astray(pose, out).mean).toBeGreaterThan(1e-4);
    soft.dispose();
    const stiff = open({ constraintStiffness: Number.POSITIVE_INFINITY });
    stiff.deform(pose, out);
    expect(astray(pose, out).most).toBeLessThan(1e-6);
    stiff.dispose();
  });

  it('bends more smoothly than dual quaternions, and than without resistance to bending', () => {
    const pose = scene.bent(90);
    const triangles = carriedTriangles(scene.mesh, body);
    const rough = (posed: ArrayLike<number>) => roughness(body.positions, posed, triangles);
    const { skin } = bindVolume(
      { body, bones: scene.bones },
      { constraints: Uint32Array.from(scene.middles.flat()) },
      { numerics },
    );
    const rival = rough(deformDualQuaternion(body.positions, skin, pose, new Float32Array(body.positions.length)));
    const [smooth, rigid] = [1, 0].map((bending) => {
      const deformer = open({ bending });
      deformer.deform(pose, room());
      const found = rough(deformer.bodyPositions);
      deformer.dispose();
      return found;
    });
    expect(smooth.mean).toBeLessThan(0.5 * rival.mean);
    expect(smooth.p99).toBeLessThan(0.5 * rival.p99);
    expect(smooth.mean).toBeLessThan(0.5 * rigid.mean);
  });

  it('makes the published iteration: plain, from unrotated tetrahedra, with a loss of volume', () => {
    const deformer = open({ method: 'budd-hilton', volumeWeight: 7 });
    const out = room();
    const first = deformer.deform(scene.twisted(360), out).rounds;
    const { volume } = measureBody(body, deformer.bodyPositions);
    expect(volume).toBeLessThan(0.97);
    // Each pose starts anew: the same one takes as many rounds again, and gives the same bytes.
    const again = room();
    expect(deformer.deform(scene.twisted(360), again).rounds).toBe(first);
    expect(first).toBeGreaterThan(20);
    expect(again).toEqual(out);
    deformer.dispose();
  });

  it('bends by 90° and twists by 360° with its volume and its sections', () => {
    const deformer = open();
    const out = room();
    for (const [pose, thinnest] of [
      [scene.bent(90), 0.9],
      [scene.twisted(360), 0.93],
    ] as const) {
      deformer.reset();
      deformer.deform(pose, out);
      const { volume, inverted } = measureBody(body, deformer.bodyPositions);
      expect(volume).toBeGreaterThan(0.98);
      expect(volume).toBeLessThan(1.01);
      expect(inverted).toBe(0);
      for (const ring of scene.rings) expect(section(ring, out, scene.mesh.positions)).toBeGreaterThan(thinnest);
    }
    deformer.dispose();
  });

  it.each([6, 9])('bends a coarse tube of %i sides without narrowing it', (sides) => {
    const coarse = cylinder({ sides });
    const filled = tetrahedralize(coarse.mesh).mesh;
    const held = bindVolume(
      { body: filled, bones: coarse.bones },
      { tips: new Map([[m - 1, coarse.tip]]) },
      { numerics },
    );
    expect(held.fixed.length).toBe(coarse.middles.flat().length);
    const deformer = createVolumeDeformer(
      { surface: coarse.mesh, bones: coarse.bones, binding: held },
      {},
      { numerics },
    );
    const out = new Float32Array(coarse.mesh.positions.length);
    deformer.deform(coarse.bent(90), out);
    const { volume, inverted } = measureBody(filled, deformer.bodyPositions);
    expect(volume).toBeGreaterThan(0.98);
    expect(inverted).toBe(0);
    for (const ring of coarse.rings) expect(section(ring, out, coarse.mesh.positions)).toBeGreaterThan(0.97);
    deformer.dispose();
  });

  it('keeps more volume with the volume term than without', () => {
    const volumes = [0, 3, 40].map((volumeWeight) => {
      const deformer = open({ volumeWeight });
      deformer.deform(scene.twisted(360), room());
      const { volume } = measureBody(body, deformer.bodyPositions);
      deformer.dispose();
      return volume;
    });
    expect(volumes[1]).toBeGreaterThan(volumes[0] + 0.02);
    expect(volumes[2]).toBeGreaterThan(volumes[1] + 0.01);
  });

  it('comes to the same pose with and without momentum, in fewer rounds with it', () => {
    const results = [true, false].map((accelerate) => {
      const deformer = open({ accelerate, tolerance: 1e-7, mostRounds: 2000 });
      const out = room();
      const { rounds } = deformer.deform(scene.twisted(200), out);
      deformer.dispose();
      return { out, rounds };
    });
    expect(farthest(results[0].out, results[1].out)).toBeLessThan(1e-3);
    expect(results[0].rounds).toBeLessThan(0.6 * results[1].rounds);
  });

  it('needs few rounds from frame to frame, and comes to where a fresh start comes', () => {
    const deformer = open({ tolerance: 1e-5 });
    const out = room();
    let most = 0;
    for (let t = 1; t <= 30; t++) {
      const { rounds } = deformer.deform(scene.twisted(4 * t), out);
      if (t > 1) most = Math.max(most, rounds);
    }
    const fresh = room();
    deformer.reset();
    const { rounds } = deformer.deform(scene.twisted(120), fresh);
    expect(most).toBeLessThan(rounds);
    expect(farthest(out, fresh)).toBeLessThan(0.02);
    // A pose that is there already takes one round.
    expect(deformer.deform(scene.twisted(120), fresh).rounds).toBeLessThanOrEqual(2);
    deformer.dispose();
  });

  it('gives the same bytes for 1 and 2 threads', async () => {
    const single = await openNumerics({ threads: 1 });
    const [a, b] = [room(), room()];
    const [one, two] = [createVolumeDeformer(modelOf(scene.mesh), {}, { numerics: single }), open()];
    one.deform(scene.bent(80), a);
    two.deform(scene.bent(80), b);
    expect(b).toEqual(a);
    one.dispose();
    two.dispose();
    single.close();
  });

  it('gives the memory back', () => {
    const before = numerics.allocatedBytes;
    for (let k = 0; k < 3; k++) {
      const deformer = open();
      deformer.deform(scene.bent(10), room());
      deformer.dispose();
    }
    expect(numerics.allocatedBytes).toBe(before);
  });

  it('carries surface vertices that lie off their carrier, and leaves unused ones at rest', () => {
    // A seam whose copies differ by less than the weld's tolerance, and a vertex of no triangle.
    const p = scene.mesh.positions;
    const seam = scene.rings[7][3];
    const positions = [...p, p[3 * seam] + 5e-6, p[3 * seam + 1], p[3 * seam + 2], 9, 9, 9];
    const triangles = scene.mesh.triangles.slice();
    triangles[triangles.indexOf(seam)] = p.length / 3;
    const split: Mesh = meshOf('split', positions, triangles);
    const { mesh: splitBody } = tetrahedralize(split);
    const deformer = createVolumeDeformer(modelOf(split, rebind(splitBody)), {}, { numerics });
    const out = new Float32Array(positions.length);
    deformer.deform(scene.bent(0), out);
    expect(farthest(out, split.positions)).toBeLessThan(1e-12);
    deformer.deform(scene.bent(90), out);
    expect([...out.subarray(-3)]).toEqual([9, 9, 9]);
    const gap = Math.hypot(...[0, 1, 2].map((axis) => out[p.length + axis] - out[3 * seam + axis]));
    expect(gap).toBeGreaterThan(4e-6);
    expect(gap).toBeLessThan(6e-6);
    deformer.dispose();
  });

  const rebind = (other: typeof body) =>
    bindVolume({ body: other, bones: scene.bones }, { tips: new Map([[m - 1, scene.tip]]) }, { numerics });

  it('refuses what does not fit', () => {
    expect(() => open({ volumWeight: 1 })).toThrow(UsageError);
    const held = { ...binding, fixed: new Uint32Array(0) };
    const create = (surface: Mesh, bound: typeof binding) =>
      createVolumeDeformer(modelOf(surface, bound), {}, { numerics });
    expect(() => create(scene.mesh, held)).toThrow(/no vertex of the body follows the bones/);
    const other = meshOf('other', [0, 0, 0], []);
    expect(() => create(other, binding)).toThrow(/carries \d+ surface vertices/);
    const deformer = open();
    expect(() => deformer.deform(Float64Array.from(IDENTITY_TRANSFORM), room())).toThrow(UsageError);
    deformer.dispose();
    const skin: SkinWeights = { ...binding.skin, bones: binding.skin.bones.map(() => 9) };
    expect(() => create(scene.mesh, { ...binding, skin })).toThrow(InputError);
  });
});
