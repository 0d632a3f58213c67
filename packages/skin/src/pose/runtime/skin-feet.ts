/**
 * Feet of a character without a skeleton: what is lowest at rest, and how the controls give way when such a point is moved,
 *
 *   minimise ½‖G δ‖²_W + ½μ‖δ‖²_surface, subject to C δ = shift,
 *
 * so that gradients change least and nothing moves that is further away than ℓ = 1/√μ. One matrix serves x, y and z; the
 * answer is therefore the same in every frame that the whole is turned to, and a foot costs 12m additions.
 */
import { DenseCholesky, type Numerics } from '@pelt/math';
import { type Poser, TRANSFORM_SIZE, vertexCount } from '@pelt/model';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { addNormalMatrix, addPosition } from './normal-matrix.ts';
import { vertexPosition } from './region-anchors.ts';
import { relativePositions } from './relative-frame.ts';

/** Height above the lowest vertex at rest up to which a vertex stands on the ground, in model sizes. */
const STANDING = 0.04;
/** ℓ in model sizes: about a leg. */
const REACH = 0.2;

/** A point that stands on the ground. */
export interface SkinFoot {
  /** By its vertex. */
  readonly name: string;
  readonly vertex: number;
  /** Where a pose has it: m × 12 to 3. */
  readonly locate: (transforms: Float64Array, out: Float64Array) => void;
  /** Moves it, and what is near it: m × 12, updated in place, by 3. */
  readonly reach: (transforms: Float64Array, shift: Float64Array) => void;
}

/** @param blend  E: shares of the examples' details, as they are when a foot is asked for */
export function skinFeet(poser: Poser, blend: Float64Array, numerics: Numerics): SkinFoot[] {
  const { rig, center, size } = poser;
  const vertices = standingVertices(poser);
  if (vertices.length === 0) return [];
  const N = 4 * rig.bones.length;
  const x = relativePositions(poser, rig.mesh.positions);
  const areas = vertexAreas(x, rig.mesh.triangles);
  const h = new Float64Array(N * N);
  const { blockStarts: starts, blockControls: controls, blocks } = poser;
  addNormalMatrix({ starts, controls, blocks }, poser.proxyWeights, h, N);
  for (let i = 0; i < vertexCount(rig.mesh); i++) addPosition(rig.weights, x, i, areas[i] / REACH ** 2, h, N);
  let trace = 0;
  for (let k = 0; k < N; k++) trace += h[k * N + k];
  // A control that moves no vertex has an empty row; it stays.
  for (let k = 0; k < N; k++) h[k * N + k] += h[k * N + k] > 0 ? (1e-12 * trace) / N : 1;
  const cholesky = new DenseCholesky(numerics, N);
  try {
    cholesky.factor(h);
    return vertices.map((vertex) => {
      const { slots, bones, weights } = rig.weights;
      const row = new Float64Array(N);
      for (let s = vertex * slots; s < (vertex + 1) * slots; s++) {
        for (let k = 0; k < 4; k++) row[4 * bones[s] + k] += weights[s] * (k < 3 ? x[3 * vertex + k] : 1);
      }
      const yields = row.slice();
      cholesky.solveInPlace(yields, 1);
      const total = yields.reduce((sum, value, k) => sum + value * row[k], 0);
      for (let k = 0; k < N; k++) yields[k] /= total;
      return {
        name: `vertex ${vertex}`,
        vertex,
        locate: (transforms, out) => vertexPosition(poser, vertex, transforms, blend, out),
        reach: (transforms, shift) => {
          for (let j = 0, at = 0; at < transforms.length; j += 4, at += TRANSFORM_SIZE) {
            for (let r = 0; r < 3; r++) {
              let moved = yields[j + 3] * shift[r];
              for (let c = 0; c < 3; c++) {
                const turned = (yields[j + c] * shift[r]) / size;
                transforms[at + 4 * r + c] += turned;
                moved -= turned * center[c];
              }
              transforms[at + 4 * r + 3] += moved;
            }
          }
        },
      };
    });
  } finally {
    cholesky.dispose();
  }
}

/** The lowest vertex of each connected patch that is on the ground. */
function standingVertices({ rig: { mesh }, size }: Poser): number[] {
  const { positions, triangles } = mesh;
  const n = vertexCount(mesh);
  let ground = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) ground = Math.min(ground, positions[3 * i + 1]);
  const stands = (i: number) => positions[3 * i + 1] <= ground + STANDING * size;
  const roots = Int32Array.from({ length: n }, (_, i) => i);
  const rootOf = (i: number) => {
    let at = i;
    while (roots[at] !== at) {
      roots[at] = roots[roots[at]];
      at = roots[at];
    }
    return at;
  };
  for (let k = 0; k < triangles.length; k++) {
    const [a, b] = [triangles[k], triangles[k % 3 === 2 ? k - 2 : k + 1]];
    if (stands(a) && stands(b)) roots[rootOf(a)] = rootOf(b);
  }
  const lowest = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    if (!stands(i)) continue;
    const best = lowest.get(rootOf(i));
    if (best === undefined || positions[3 * i + 1] < positions[3 * best + 1]) lowest.set(rootOf(i), i);
  }
  return [...lowest.values()];
}
