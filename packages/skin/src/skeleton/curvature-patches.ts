/**
 * Patches of a surface that end where it is curved: geodesic Voronoi cells of seed vertices in a metric that stretches
 * edges by
 *
 *   1 + |K|/mean |K|,   K the Gaussian curvature, from the angle defect: K_i = (2π − Σ angles)/A_i, π at a border.
 *
 * A patch reaches far over what is flat or a cylinder, such as the side of a limb, and stops early at tips and in creases
 * between parts, so that patches have similar amounts of area and curvature together. Curvature is averaged over two
 * rings, since the defect of a single vertex is mostly noise.
 *
 * The published segmentation grows charts of equal total curvature from seeds and moves the seeds; here seeds stay where
 * they are, because spectral clustering has to compare them.
 *
 * References: Yamauchi, Gumhold, Zayer, Seidel. Mesh segmentation driven by Gaussian curvature. 2005. Meyer, Desbrun,
 * Schröder, Barr. Discrete differential-geometry operators for triangulated 2-manifolds. 2003 (angle defect).
 */
import { atan2 } from '@pelt/math';
import { averaged } from '../shared/mesh/averaged.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { geodesicCells } from './geodesic-cells.ts';

/** Rings over which curvature is averaged. */
const RINGS = 2;
/** Weight of curvature beside length. */
const CURVED = 1;

/**
 * @param positions  n × 3
 * @param triangles  f × 3
 * @param seeds      q vertices
 * @returns n, below q
 */
export function curvaturePatches(
  positions: Float64Array,
  triangles: Uint32Array,
  graph: EdgeGraph,
  seeds: Int32Array,
): Int32Array {
  const { defects, areas } = angleDefects(positions, triangles);
  const total = areas.reduce((sum, area) => sum + area, 0);
  const mean = defects.reduce((sum, defect) => sum + Math.abs(defect), 0) / (total || 1);
  const curvature = defects.map((defect, i) => (areas[i] > 0 && mean > 0 ? Math.abs(defect) / (areas[i] * mean) : 0));
  const stretch = averaged(curvature, graph, RINGS).map((value) => 1 + CURVED * value);
  return geodesicCells(positions, graph, seeds, stretch);
}

/** n angle defects and barycentric areas; a vertex without triangles has neither. */
export function angleDefects(
  positions: Float64Array,
  triangles: Uint32Array,
): { readonly defects: Float64Array; readonly areas: Float64Array } {
  const n = positions.length / 3;
  const angles = new Float64Array(n);
  const areas = new Float64Array(n);
  // Uses of each edge by its ends, one way; an edge without the other way is on a border.
  const ways = new Set<number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const [i, j, k] = [0, 1, 2].map((d) => triangles[t + ((c + d) % 3)]);
      const [a, b] = [j, k].map((other) => [0, 1, 2].map((d) => positions[3 * other + d] - positions[3 * i + d]));
      const twice = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
      angles[i] += atan2(twice, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
      areas[i] += twice / 6;
      ways.add(i * n + j);
    }
  }
  const border = new Uint8Array(n);
  for (const way of ways) {
    const [i, j] = [Math.floor(way / n), way % n];
    if (!ways.has(j * n + i)) border[i] = border[j] = 1;
  }
  const defects = angles.map((sum, i) => (sum > 0 ? (border[i] ? Math.PI : 2 * Math.PI) - sum : 0));
  return { defects, areas };
}
