/**
 * A sphere round every cluster of a posed mesh, close enough that few clusters are left for a ray.
 *
 * With w̄_j the mean weights of a cluster, d_j the largest distance of any vertex's weight from them, T̄ = Σ w̄_j T_j, and
 * the cluster at rest in a sphere of centre c and radius r: a vertex is Σ w_j T_j p = T̄ p + Σ (w_j − w̄_j)(T_j − T̄) p, since
 * the differences sum to 0. So it is within σ(T̄) r + Σ d_j (|(T_j − T̄) c| + ‖A_j − Ā‖ r) of T̄ c. Weights differ little
 * inside a small cluster, which makes this far tighter than the hull of the bones' images, with eight soft weights above
 * all: 40 000 vertices, 1695 clusters, 40 ms of a ray before, 2 ms now.
 */
import { type SkinWeights, TRANSFORM_SIZE } from '@pelt/model';
import { sphereRound } from './posed-bounds.ts';

export interface WeightedClusters {
  /** clusters × 4: centre and radius at rest */
  readonly spheres: Float64Array;
  /** clusters + 1: where the bones of each begin */
  readonly starts: Uint32Array;
  readonly bones: Uint16Array;
  /** Of each bone: w̄ and d */
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/**
 * @param rest  n × 3
 * @param skin  n × K; a vertex may name a bone twice
 * @param of    the vertices of each cluster
 */
export function weightedClusters(
  rest: Float32Array,
  skin: SkinWeights,
  of: readonly ArrayLike<number>[],
): WeightedClusters {
  const spheres = new Float64Array(4 * of.length);
  const starts = new Uint32Array(of.length + 1);
  const bones: number[] = [];
  const means: number[] = [];
  const deviations: number[] = [];
  of.forEach((vertices, cluster) => {
    spheres.set(sphereRound(rest, vertices), 4 * cluster);
    const rows = Array.from({ length: vertices.length }, (_, k) => weightsOf(skin, vertices[k]));
    const sums = new Map<number, number>();
    for (const row of rows) for (const [bone, weight] of row) sums.set(bone, (sums.get(bone) ?? 0) + weight);
    for (const [bone, sum] of sums) {
      const mean = sum / rows.length;
      bones.push(bone);
      means.push(mean);
      deviations.push(rows.reduce((most, row) => Math.max(most, Math.abs((row.get(bone) ?? 0) - mean)), 0));
    }
    starts[cluster + 1] = bones.length;
  });
  return {
    spheres,
    starts,
    bones: Uint16Array.from(bones),
    means: Float64Array.from(means),
    deviations: Float64Array.from(deviations),
  };
}

export class PosedClusters {
  readonly #clusters: WeightedClusters;
  readonly #mean = new Float64Array(TRANSFORM_SIZE);
  /** Centre and radius of the sphere last asked for. */
  readonly sphere = new Float64Array(4);

  constructor(clusters: WeightedClusters) {
    this.#clusters = clusters;
  }

  /**
   * Fills `sphere` with one that holds a cluster in the pose of the transforms.
   *
   * @param T       m × 12
   * @param margin  what morph targets (at rest) and displacements (posed) may add
   */
  pose(cluster: number, T: Float64Array, margin: { readonly rest: number; readonly posed: number }): void {
    const { spheres, starts, bones, means, deviations } = this.#clusters;
    const first = starts[cluster];
    const end = starts[cluster + 1];
    const x = spheres[4 * cluster];
    const y = spheres[4 * cluster + 1];
    const z = spheres[4 * cluster + 2];
    const r = spheres[4 * cluster + 3] + margin.rest;
    const mean = this.#mean.fill(0);
    for (let k = first; k < end; k++) {
      const b = TRANSFORM_SIZE * bones[k];
      const w = means[k];
      for (let c = 0; c < TRANSFORM_SIZE; c++) mean[c] += w * T[b + c];
    }
    let radius = stretchOf(mean) * r + margin.posed;
    for (let k = first; k < end; k++) {
      const d = deviations[k];
      if (d === 0) continue;
      const b = TRANSFORM_SIZE * bones[k];
      let apart = 0;
      let turned = 0;
      for (let c = 0; c < TRANSFORM_SIZE; c += 4) {
        const dx = T[b + c] - mean[c];
        const dy = T[b + c + 1] - mean[c + 1];
        const dz = T[b + c + 2] - mean[c + 2];
        const along = dx * x + dy * y + dz * z + T[b + c + 3] - mean[c + 3];
        apart += along * along;
        turned += dx * dx + dy * dy + dz * dz;
      }
      radius += d * (Math.sqrt(apart) + Math.sqrt(turned) * r);
    }
    const { sphere } = this;
    sphere[0] = mean[0] * x + mean[1] * y + mean[2] * z + mean[3];
    sphere[1] = mean[4] * x + mean[5] * y + mean[6] * z + mean[7];
    sphere[2] = mean[8] * x + mean[9] * y + mean[10] * z + mean[11];
    sphere[3] = radius;
  }
}

/** √‖AᵀA‖∞ of the linear part: at least its largest stretch. */
function stretchOf(T: Float64Array): number {
  let most = 0;
  for (let r = 0; r < 3; r++) {
    let row = 0;
    for (let c = 0; c < 3; c++) row += Math.abs(T[r] * T[c] + T[4 + r] * T[4 + c] + T[8 + r] * T[8 + c]);
    if (row > most) most = row;
  }
  return Math.sqrt(most);
}

function weightsOf({ slots, bones, weights }: SkinWeights, i: number): Map<number, number> {
  const row = new Map<number, number>();
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    if (weights[s] > 0) row.set(bones[s], (row.get(bones[s]) ?? 0) + weights[s]);
  }
  return row;
}
