/**
 * Doubles the examples of a symmetric character: each is mirrored, so that what one side has done the other can do. Whether
 * the mesh is symmetric is found: for the plane through the middle of its box along one of the axes, every vertex has a
 * counterpart, the nearest point of the mirrored surface that faces alike. Nothing is mirrored unless these are, in the
 * root mean square, within a hundredth of the size.
 *
 * With P_i the counterpart of vertex i and x' the mirrored position, the mirrored example asks for the positions
 * v_i = x_i + (posed(P_i) − rest(P_i))' and the gradients (D_P)', which tell where patches of one control are flat. The
 * controls fit both in least squares.
 */
import { factorSmall, KdTree, solveSmall, triangleNormal } from '@pelt/math';
import { boundsOf, type Clip, checkCancelled, poseAt, type Rig, type RunContext, TRANSFORM_SIZE } from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { addNormalMatrix, addPosition } from '../runtime/normal-matrix.ts';
import { relativeFrame, relativePositions, transformsOf, unknownsOf } from '../runtime/relative-frame.ts';
import { type GradientRows, vertexGradientRows } from '../runtime/weight-gradients.ts';
import { proxyGradients } from './proxy-gradients.ts';

/** RMS distance of the counterparts, in model sizes, up to which a mesh is symmetric. */
const SYMMETRIC = 0.01;
/** What a difference of normals counts beside one of positions, in model sizes. */
const NORMALS = 0.05;
/** Weight of the gradients beside the positions. */
const GRADIENTS = 0.01;

/** Counterparts of all vertices: each as the nearest vertex of the mirrored mesh. */
interface Symmetry {
  readonly axis: number;
  /** n */
  readonly counterparts: Uint32Array;
  /** n × 3: from the counterpart to the mirrored vertex itself, in relative coordinates */
  readonly offsets: Float64Array;
}

/**
 * @returns the controls of the mirrored examples, E × m × 12, rest → pose; undefined where the mesh is not symmetric
 */
export function mirroredTransforms(rig: Rig, clip: Clip, run?: RunContext): Float64Array | undefined {
  const frame = relativeFrame(rig.mesh.positions);
  const x = relativePositions(frame, rig.mesh.positions);
  const symmetry = findSymmetry(x, rig.mesh.triangles);
  if (!symmetry) return undefined;
  const m = rig.bones.length;
  const N = 4 * m;
  const n = x.length / 3;
  const areas = vertexAreas(x, rig.mesh.triangles);
  const rows = vertexGradientRows(x, rig.weights, edgeGraph(rig.mesh.triangles, n), run);
  const h = new Float64Array(N * N);
  addNormalMatrix(
    rows,
    areas.map((area) => GRADIENTS * area),
    h,
    N,
  );
  for (let i = 0; i < n; i++) addPosition(rig.weights, x, i, areas[i], h, N);
  let trace = 0;
  for (let k = 0; k < N; k++) trace += h[k * N + k];
  // A control that moves no vertex has an empty row; it stays at rest.
  for (let k = 0; k < N; k++) h[k * N + k] += (1e-9 * trace) / N;
  factorSmall(h, N, N);
  const out = new Float64Array(clip.transforms.length);
  const unknowns = new Float64Array(3 * N);
  const gradients = new Float64Array(9 * n);
  const posed = new Float32Array(3 * n);
  for (let e = 0; e < clip.times.length; e++) {
    checkCancelled(run);
    const { transforms } = poseAt(clip, e, m);
    unknownsOf(frame, transforms, unknowns);
    proxyGradients(rows, unknowns, gradients);
    deformLinear(rig.mesh.positions, rig.weights, transforms, posed);
    const solution = mirroredForce(symmetry, x, relativePositions(frame, posed), gradients, rig, rows, areas);
    solveSmall(h, N, N, solution, 3);
    transformsOf(frame, solution, out.subarray(TRANSFORM_SIZE * m * e, TRANSFORM_SIZE * m * (e + 1)));
  }
  return out;
}

/** The right-hand side: what mirrored positions and gradients ask of the controls, N × 3. */
function mirroredForce(
  { axis, counterparts, offsets }: Symmetry,
  x: Float64Array,
  posed: Float64Array,
  gradients: Float64Array,
  { weights: { slots, bones, weights }, bones: controls }: Rig,
  rows: GradientRows,
  areas: Float64Array,
): Float64Array {
  const out = new Float64Array(12 * controls.length);
  const moved = new Float64Array(3);
  const wanted = new Float64Array(9);
  for (let i = 0; i < counterparts.length; i++) {
    const j = counterparts[i];
    for (let r = 0; r < 3; r++) {
      // The counterpart is a vertex; its gradient takes it to the point itself.
      moved[r] = posed[3 * j + r] - x[3 * j + r];
      for (let c = 0; c < 3; c++) {
        const change = gradients[9 * j + 3 * r + c] - (r === c ? 1 : 0);
        moved[r] += change * offsets[3 * i + c];
        wanted[3 * r + c] = (r === axis) === (c === axis) ? change : -change;
      }
      if (r === axis) moved[r] = -moved[r];
    }
    for (let s = i * slots; s < (i + 1) * slots; s++) {
      for (let k = 0; k < 4; k++) {
        const factor = areas[i] * weights[s] * (k < 3 ? x[3 * i + k] : 1);
        for (let r = 0; r < 3; r++) out[12 * bones[s] + 3 * k + r] += factor * moved[r];
      }
    }
    for (let b = rows.starts[i]; b < rows.starts[i + 1]; b++) {
      for (let k = 0; k < 4; k++) {
        for (let r = 0; r < 3; r++) {
          let sum = 0;
          for (let c = 0; c < 3; c++) sum += rows.blocks[12 * b + 3 * k + c] * wanted[3 * r + c];
          out[12 * rows.controls[b] + 3 * k + r] += GRADIENTS * areas[i] * sum;
        }
      }
    }
  }
  return out;
}

/** The most symmetric of the three planes through the middle of the box; undefined where none is symmetric enough. */
export function findSymmetry(x: Float64Array, triangles: Uint32Array): Symmetry | undefined {
  const n = x.length / 3;
  const normals = vertexNormals(x, triangles);
  const points = new Float64Array(6 * n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) {
      points[6 * i + c] = x[3 * i + c];
      points[6 * i + 3 + c] = NORMALS * normals[3 * i + c];
    }
  }
  const tree = new KdTree(points, 6);
  const { min, max } = boundsOf(x);
  let best: Symmetry | undefined;
  let least = SYMMETRIC;
  const query = new Float64Array(6);
  const [found, squares] = [new Uint32Array(1), new Float64Array(1)];
  for (let axis = 0; axis < 3; axis++) {
    const counterparts = new Uint32Array(n);
    const offsets = new Float64Array(3 * n);
    let squared = 0;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 6; k++) query[k] = points[6 * i + k];
      query[axis] = min[axis] + max[axis] - query[axis];
      query[3 + axis] = -query[3 + axis];
      tree.nearest(query, 0, 1, found, squares);
      counterparts[i] = found[0];
      let along = 0;
      for (let c = 0; c < 3; c++) {
        offsets[3 * i + c] = query[c] - x[3 * found[0] + c];
        along += offsets[3 * i + c] * normals[3 * found[0] + c];
      }
      // Distance from the surface: within it, the next vertex need not be at the same place.
      squared += along * along;
    }
    const away = Math.sqrt(squared / n);
    if (away < least) [least, best] = [away, { axis, counterparts, offsets }];
  }
  return best;
}

function vertexNormals(x: Float64Array, triangles: Uint32Array): Float64Array {
  const normals = new Float64Array(x.length);
  const normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    triangleNormal(x, triangles[t], triangles[t + 1], triangles[t + 2], normal, 0);
    for (let c = 0; c < 9; c++) normals[3 * triangles[t + Math.floor(c / 3)] + (c % 3)] += normal[c % 3];
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2) || 1;
    for (let c = 0; c < 3; c++) normals[i + c] /= length;
  }
  return normals;
}
