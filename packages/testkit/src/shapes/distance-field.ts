import type { Vector } from '../transform.ts';

/**
 * A solid as a function: negative inside, positive outside, near the surface close to the distance. Soft bodies are
 * smooth unions of a few such solids.
 */
export type DistanceField = (x: number, y: number, z: number) => number;

/** Fillet radii beyond which another solid adds less than the last bit: e⁻³⁷ ≈ 2⁻⁵³. */
const NEGLIGIBLE = 37;

/** Round cone between two spheres: a limb. The distance is exact along the axis and a little short at the flanks. */
export function limb(from: Vector, fromRadius: number, to: Vector, toRadius: number): DistanceField {
  const [ux, uy, uz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const squared = ux * ux + uy * uy + uz * uz;
  return (x, y, z) => {
    const [px, py, pz] = [x - from[0], y - from[1], z - from[2]];
    const along = Math.min(1, Math.max(0, (px * ux + py * uy + pz * uz) / squared));
    const radius = fromRadius + along * (toRadius - fromRadius);
    return length(px - along * ux, py - along * uy, pz - along * uz) - radius;
  };
}

/** Ellipsoid along the axes, its distance to first order: k₀(k₀ − 1)/k₁ with k₀ = ‖p/r‖, k₁ = ‖p/r²‖. */
export function ellipsoid(center: Vector, radii: Vector): DistanceField {
  const least = Math.min(...radii);
  return (x, y, z) => {
    const [px, py, pz] = [x - center[0], y - center[1], z - center[2]];
    const k0 = length(px / radii[0], py / radii[1], pz / radii[2]);
    const k1 = length(px / radii[0] ** 2, py / radii[1] ** 2, pz / radii[2] ** 2);
    return k1 === 0 ? -least : (k0 * (k0 - 1)) / k1;
  };
}

/**
 * Union with a fillet: −r ln Σ exp(−dₖ/r). Symmetric and smooth everywhere, so the order of the parts does not matter
 * and the surface has no creases.
 */
export function smoothUnion(radius: number, ...fields: readonly DistanceField[]): DistanceField {
  return (x, y, z) => {
    // One pass, with the sum kept relative to the least distance so far.
    let least = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const field of fields) {
      const distance = field(x, y, z);
      if (distance < least) {
        sum = sum * Math.exp((distance - least) / radius) + 1;
        least = distance;
      } else if (distance < least + NEGLIGIBLE * radius) sum += Math.exp((least - distance) / radius);
    }
    return least - radius * Math.log(sum);
  };
}

/** Not `Math.hypot`, which is ten times slower: a surface takes millions of these. */
function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
