import { Random, rotationExp } from '@pelt/math';
import {
  type Bone,
  type Clip,
  MATERIAL_DEFAULTS,
  type Mesh,
  type Rig,
  type SkinWeights,
  uniformTimes,
} from '@pelt/model';

/** Made-up models for the tests: everything from a seed, nothing from a file. */

/** The smallest PNG there is: one grey point. */
export const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
);

/** A bumpy sheet of columns × rows vertices. */
export function sheet(columns = 5, rows = 4, seed = 1, scale = 1): Mesh {
  const random = new Random(seed);
  const n = columns * rows;
  const positions = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) {
    positions[3 * i] = scale * ((i % columns) + 0.3 * random.uniform());
    positions[3 * i + 1] = scale * Math.floor(i / columns);
    positions[3 * i + 2] = scale * random.uniform();
  }
  const triangles: number[] = [];
  for (let y = 0; y + 1 < rows; y++) {
    for (let x = 0; x + 1 < columns; x++) {
      const a = y * columns + x;
      triangles.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  return { name: 'sheet', positions, triangles: Uint32Array.from(triangles) };
}

/** The sheet with everything a mesh can carry, indexed like its positions. */
export function richSheet(columns = 5, rows = 4, seed = 1): Mesh {
  const mesh = sheet(columns, rows, seed);
  const random = new Random(seed + 100);
  const n = columns * rows;
  const values = (count: number) => Float32Array.from({ length: count }, () => random.uniform());
  const normals = new Float32Array(3 * n).map((_, k) => [0.6, 0, 0.8][k % 3]);
  const f = mesh.triangles.length / 3;
  return {
    ...mesh,
    normals: { size: 3, values: normals },
    uvs: { size: 2, values: values(2 * n) },
    uvs2: { size: 2, values: values(2 * n) },
    colors: { size: 4, values: values(4 * n) },
    parts: [
      { name: 'left', firstTriangle: 0, triangleCount: 3, material: 1 },
      { name: 'right', firstTriangle: 3, triangleCount: f - 3, material: 0 },
    ],
    materials: [
      {
        ...MATERIAL_DEFAULTS,
        name: 'painted',
        baseColor: [0.5, 0.25, 0.125, 1],
        metallic: 0.25,
        roughness: 0.5,
        emissive: [0.5, 0, 0.25],
        doubleSided: true,
        normalScale: 0.5,
        occlusionStrength: 0.75,
        baseColorTexture: { image: 0, uvSet: 0, wrapS: 33071, wrapT: 33648, magFilter: 9728, minFilter: 9987 },
        normalTexture: { image: 1, uvSet: 0, wrapS: 10497, wrapT: 10497 },
        occlusionTexture: { image: 0, uvSet: 1, wrapS: 10497, wrapT: 10497 },
        metallicRoughnessTexture: { image: 0, uvSet: 0, wrapS: 10497, wrapT: 10497 },
        emissiveTexture: {
          image: 1,
          uvSet: 0,
          wrapS: 10497,
          wrapT: 10497,
          transform: { offset: [0.5, 0.25], rotation: 0.5, scale: [2, 3] },
        },
      },
      { ...MATERIAL_DEFAULTS, name: 'flat', unlit: true, alphaMode: 'MASK', alphaCutoff: 0.25 },
    ],
    images: [
      { name: 'paint', mimeType: 'image/png', bytes: PNG },
      { name: 'bumps', mimeType: 'image/png', bytes: PNG },
    ],
  };
}

export interface RigShape {
  readonly bones: number;
  readonly slots: number;
  readonly seed: number;
  /** Bones of a tree, each with its place, or loose ones. */
  readonly tree: boolean;
  readonly frames: number;
  readonly scale?: number;
  /** How much the bones stretch and shear; 0 for rigid motion. */
  readonly stretch?: number;
}

export const RIG_SHAPE: RigShape = { bones: 5, slots: 4, seed: 1, tree: true, frames: 6 };

/** A rig over the sheet, with one clip; in a tree children stay on their joints. */
export function randomRig(shape: Partial<RigShape> = {}, mesh?: Mesh): { readonly rig: Rig; readonly clip: Clip } {
  const { bones: m, slots, seed, tree, frames, scale = 1, stretch = 0 } = { ...RIG_SHAPE, ...shape };
  const random = new Random(seed);
  const body = mesh ?? sheet(6, 5, seed, scale);
  const bones = Array.from({ length: m }, (_, j): Bone => {
    const origin = [6, 5, 1].map((extent) => scale * extent * random.uniform());
    return {
      name: `bone ${j}`,
      parent: tree && j > 0 ? random.integer(j) : -1,
      rest: affine(rotation(random), origin),
    };
  });
  const transforms = new Float64Array(frames * m * 12);
  for (let t = 0; t < frames; t++) {
    bones.forEach(({ parent, rest }, j) => {
      const linear = stretched(rotation(random), random, stretch);
      const from = [rest[3], rest[7], rest[11]];
      const above = parent < 0 ? undefined : transforms.subarray((t * m + parent) * 12, (t * m + parent + 1) * 12);
      const to = above ? apply(above, from) : from.map((value) => value + scale * random.normal());
      const turned = apply(affine(linear, [0, 0, 0]), from);
      transforms.set(
        affine(
          linear,
          to.map((value, k) => value - turned[k]),
        ),
        (t * m + j) * 12,
      );
    });
  }
  return {
    rig: { name: 'made up', mesh: body, bones, weights: randomWeights(body.positions.length / 3, m, slots, random) },
    clip: { name: 'wriggle', times: uniformTimes(frames, 24), transforms },
  };
}

export function randomWeights(n: number, m: number, slots: number, random: Random): SkinWeights {
  const bones = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  for (let i = 0; i < n; i++) {
    const used = 1 + random.integer(Math.min(slots, m));
    const chosen = new Set<number>();
    while (chosen.size < used) chosen.add(random.integer(m));
    const raw = Array.from(chosen, () => 0.05 + random.uniform()).sort((a, b) => b - a);
    const sum = raw.reduce((total, value) => total + value, 0);
    bones.set([...chosen], i * slots);
    weights.set(
      raw.map((value) => value / sum),
      i * slots,
    );
  }
  return { slots, bones, weights };
}

/** 3 × 3 row-major */
export function rotation(random: Random): Float64Array {
  const vector = Float64Array.from({ length: 3 }, () => 2 * random.normal());
  const r = new Float64Array(9);
  rotationExp(vector, 0, r, 0);
  return r;
}

function stretched(r: Float64Array, random: Random, amount: number): Float64Array {
  if (amount === 0) return r;
  const s = Float64Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1 : 0) + amount * (random.uniform() - 0.5));
  return r.map((_, k) => [0, 1, 2].reduce((sum, i) => sum + r[3 * Math.floor(k / 3) + i] * s[3 * i + (k % 3)], 0));
}

/** Row-major 3 × 4 from a 3 × 3 and a translation. */
export function affine(linear: ArrayLike<number>, [x, y, z]: readonly number[]): Float64Array {
  const a = Array.from(linear);
  return Float64Array.of(a[0], a[1], a[2], x, a[3], a[4], a[5], y, a[6], a[7], a[8], z);
}

export function apply(a: ArrayLike<number>, [x, y, z]: readonly number[]): number[] {
  return [0, 4, 8].map((r) => a[r] * x + a[r + 1] * y + a[r + 2] * z + a[r + 3]);
}
