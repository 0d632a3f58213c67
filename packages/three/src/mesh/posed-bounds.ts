/**
 * Boxes that a posed mesh, or a part of it, cannot leave, from the palette alone.
 *
 * A vertex is a convex blend of T_b p over its bones b, so it lies in the hull of T_b S over all bones, S a sphere that
 * holds the part at rest; a box round the spheres T_b S holds that. Dual quaternions leave the hull: a vertex moves along
 * the screw from T_a p to T_b p, and stays within half the length of that chord from it (for turns up to π). Both are
 * widened by what morph targets and displacements can add.
 */
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import type { Box3 } from 'three';

/** Parts of a mesh, each with its sphere at rest and the bones that move it. */
export interface BoundedParts {
  /** parts × 4: centre and radius */
  readonly spheres: Float64Array;
  /** parts + 1, where the bones of each begin */
  readonly starts: Uint32Array;
  readonly bones: Uint16Array;
}

/**
 * @param rest  n × 3
 * @param of    the vertices of each part
 */
export function boundedParts(rest: Float32Array, skin: SkinWeights, of: readonly ArrayLike<number>[]): BoundedParts {
  const spheres = new Float64Array(4 * of.length);
  const starts = new Uint32Array(of.length + 1);
  const all: number[] = [];
  of.forEach((vertices, part) => {
    spheres.set(sphereRound(rest, vertices), 4 * part);
    const found = new Set<number>();
    for (let k = 0; k < vertices.length; k++) {
      const row = vertices[k] * skin.slots;
      for (let s = row; s < row + skin.slots; s++) if (skin.weights[s] > 0) found.add(skin.bones[s]);
    }
    all.push(...found);
    starts[part + 1] = all.length;
  });
  return { spheres, starts, bones: Uint16Array.from(all) };
}

/** For every bone the sphere of the vertices that it moves: together they bound the whole mesh closely. */
export function bonePartsOf(rest: Float32Array, skin: SkinWeights, bones: number): BoundedParts {
  const moved: number[][] = Array.from({ length: bones }, () => []);
  skin.weights.forEach((weight, slot) => {
    if (weight > 0) moved[skin.bones[slot]].push(Math.floor(slot / skin.slots));
  });
  const used = moved.flatMap((vertices, bone) => (vertices.length > 0 ? [{ vertices, bone }] : []));
  const spheres = new Float64Array(4 * used.length);
  used.forEach(({ vertices }, part) => {
    spheres.set(sphereRound(rest, vertices), 4 * part);
  });
  return {
    spheres,
    starts: Uint32Array.from({ length: used.length + 1 }, (_, k) => k),
    bones: Uint16Array.from(used, ({ bone }) => bone),
  };
}

/** The largest stretch of each transform of the palette, from above: √‖AᵀA‖∞, which is 1 for a rotation. */
export function stretchesOf(palette: Float64Array, out: Float64Array): Float64Array {
  for (let b = 0; b < out.length; b++) {
    const at = TRANSFORM_SIZE * b;
    let most = 0;
    for (let r = 0; r < 3; r++) {
      let row = 0;
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = at; k < at + 12; k += 4) sum += palette[k + r] * palette[k + c];
        row += Math.abs(sum);
      }
      if (row > most) most = row;
    }
    out[b] = Math.sqrt(most);
  }
  return out;
}

/**
 * Grows `box` round one part in the pose of the palette.
 *
 * @param stretches  of the palette
 * @param margin     what morph targets (at rest) and displacements (posed) may add
 * @param screw      whether vertices follow dual quaternions
 */
export function expandByPart(
  { spheres, starts, bones }: BoundedParts,
  part: number,
  palette: Float64Array,
  stretches: Float64Array,
  margin: { readonly rest: number; readonly posed: number },
  screw: boolean,
  box: Box3,
): void {
  const [x, y, z, radius] = [spheres[4 * part], spheres[4 * part + 1], spheres[4 * part + 2], spheres[4 * part + 3]];
  const room = screw ? chordBound(palette, bones, starts[part], starts[part + 1], x, y, z, radius + margin.rest) : 0;
  const { min, max } = box;
  for (let k = starts[part]; k < starts[part + 1]; k++) {
    const b = TRANSFORM_SIZE * bones[k];
    const r = stretches[bones[k]] * (radius + margin.rest) + margin.posed + room;
    const cx = palette[b] * x + palette[b + 1] * y + palette[b + 2] * z + palette[b + 3];
    const cy = palette[b + 4] * x + palette[b + 5] * y + palette[b + 6] * z + palette[b + 7];
    const cz = palette[b + 8] * x + palette[b + 9] * y + palette[b + 10] * z + palette[b + 11];
    if (cx - r < min.x) min.x = cx - r;
    if (cy - r < min.y) min.y = cy - r;
    if (cz - r < min.z) min.z = cz - r;
    if (cx + r > max.x) max.x = cx + r;
    if (cy + r > max.y) max.y = cy + r;
    if (cz + r > max.z) max.z = cz + r;
  }
}

/** Half of the longest chord between two bones' images is at most the longest one from the first bone's. */
function chordBound(
  T: Float64Array,
  bones: Uint16Array,
  start: number,
  end: number,
  x: number,
  y: number,
  z: number,
  radius: number,
): number {
  const a = TRANSFORM_SIZE * bones[start];
  let longest = 0;
  for (let k = start + 1; k < end; k++) {
    const b = TRANSFORM_SIZE * bones[k];
    let apart = 0;
    let turned = 0;
    for (let r = 0; r < 12; r += 4) {
      const [dx, dy, dz] = [T[b + r] - T[a + r], T[b + r + 1] - T[a + r + 1], T[b + r + 2] - T[a + r + 2]];
      apart += (dx * x + dy * y + dz * z + T[b + r + 3] - T[a + r + 3]) ** 2;
      turned += dx * dx + dy * dy + dz * dz;
    }
    longest = Math.max(longest, Math.sqrt(apart) + Math.sqrt(turned) * radius);
  }
  return longest;
}

/** Centre of the box and the farthest vertex from it. */
export function sphereRound(rest: Float32Array, vertices: ArrayLike<number>): [number, number, number, number] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < vertices.length; k++) {
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c], rest[3 * vertices[k] + c]);
      high[c] = Math.max(high[c], rest[3 * vertices[k] + c]);
    }
  }
  const [x, y, z] = low.map((value, c) => 0.5 * (value + high[c]));
  let squared = 0;
  for (let k = 0; k < vertices.length; k++) {
    const i = 3 * vertices[k];
    squared = Math.max(squared, (rest[i] - x) ** 2 + (rest[i + 1] - y) ** 2 + (rest[i + 2] - z) ** 2);
  }
  return [x, y, z, Math.sqrt(squared)];
}
