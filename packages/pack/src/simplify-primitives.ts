/**
 * Fewer triangles: minimise the largest quadric error over the collapses of all primitives, subject to a number of
 * triangles. The quadric is over the rest pose and poses of the clips together, each as three attributes of a vertex, so
 * that an elbow which bends keeps the vertices it bends by, however straight it is at rest.
 *
 * One error for all primitives, found by bisection, spends triangles where they count; the same share for each would
 * spend them on the buttons of a coat. Vertices stay where they are: those that are left keep their weights and UVs.
 *
 * Reference: Garland, Heckbert. Simplifying surfaces with color and texture using quadric error metrics. 1998, as in
 * meshoptimizer.
 */
import { type GltfAsset, TRIANGLES } from '@pelt/io/internal';
import type { Mesh } from '@pelt/model';
import type { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import type { FilePrimitive, VertexArray } from './file-primitives.ts';
import { permuted, weldRows } from './reorder-vertices.ts';
import type { SurfaceModel } from './surface-model.ts';

/** The simplifier takes 32 attributes; poses have what normals and UVs leave. */
const MOST_POSES = 8;
/** A normal that turns by one and a UV that moves by one count as so much of the primitive's size. */
const [NORMAL_WEIGHT, UV_WEIGHT] = [0.05, 0.1];
/** Of the model's size: errors between which the answer is, and the halvings of the logarithm. */
const [LEAST_ERROR, MOST_ERROR, HALVINGS] = [1e-7, 0.5, 14];

/** @param share  of the triangles that stay */
export async function simplifyPrimitives(
  primitives: readonly FilePrimitive[],
  asset: GltfAsset,
  model: SurfaceModel,
  share: number,
): Promise<FilePrimitive[]> {
  const { MeshoptSimplifier: simplifier } = await import('meshoptimizer/simplifier');
  await simplifier.ready;
  const welded = primitives.map(weldedPrimitive);
  const problems = welded.map((primitive) => problemOf(primitive, asset, model));
  const all = problems.reduce((sum, problem) => sum + (problem?.triangles.length ?? 0), 0);
  const wanted = 3 * Math.round((share * all) / 3);
  let [fine, coarse] = [LEAST_ERROR * model.size, MOST_ERROR * model.size];
  let best = problems.map((problem) => problem && simplified(simplifier, problem, 0, coarse));
  for (let k = 0; k < HALVINGS; k++) {
    const middle = Math.sqrt(fine * coarse);
    const found = problems.map((problem) => problem && simplified(simplifier, problem, 0, middle));
    const count = found.reduce((sum, triangles) => sum + (triangles?.length ?? 0), 0);
    if (count > wanted) {
      fine = middle;
      continue;
    }
    [coarse, best] = [middle, found];
    if (count > 0.995 * wanted) break;
  }
  // An error alone lets it take many collapses at once; a number of triangles takes the best ones first.
  const found = best.map((triangles) => triangles?.length ?? 0);
  const spare =
    wanted /
    Math.max(
      found.reduce((sum, count) => sum + count, 0),
      1,
    );
  return welded.map((primitive, k) => {
    const problem = problems[k];
    const count = 3 * Math.floor((found[k] * Math.max(spare, 1)) / 3);
    const triangles = problem && simplified(simplifier, problem, count, MOST_ERROR * model.size);
    return triangles ? compacted(primitive, triangles) : primitive;
  });
}

interface Problem {
  readonly triangles: Uint32Array;
  /** n × 3, at rest in the scene */
  readonly positions: Float32Array;
  /** n × A */
  readonly attributes: Float32Array;
  readonly weights: number[];
}

function simplified(
  simplifier: typeof MeshoptSimplifier,
  { triangles, positions, attributes, weights }: Problem,
  count: number,
  error: number,
): Uint32Array {
  const [out] = simplifier.simplifyWithAttributes(
    triangles,
    positions,
    3,
    attributes,
    weights.length,
    weights,
    null,
    count,
    error,
    ['ErrorAbsolute', 'Permissive'],
  );
  return out;
}

function problemOf(primitive: FilePrimitive, { mesh, scene }: GltfAsset, model: SurfaceModel): Problem | undefined {
  const { indices, mode, source, ranges, attributes } = primitive;
  const [range] = ranges;
  if (mode !== TRIANGLES || !indices || indices.length === 0 || !range) return undefined;
  const n = source.length;
  const positions = new Float32Array(3 * n);
  source.forEach((from, i) => {
    const at = 3 * (range.firstVertex + from);
    positions.set(mesh.positions.subarray(at, at + 3), 3 * i);
  });
  const unit = 1 / extentOf(positions);
  const columns: { readonly values: ArrayLike<number>; readonly size: number; readonly weight: number }[] = [];
  const add = (array: VertexArray | undefined, size: number, weight: number) => {
    if (array && array.size >= size) columns.push({ values: narrowed(array, size), size, weight });
  };
  add(attributes.get('NORMAL'), 3, NORMAL_WEIGHT);
  add(attributes.get('TEXCOORD_0'), 2, UV_WEIGHT);
  for (const posed of posesOf(mesh, scene.weights, range.firstVertex, source, model)) {
    columns.push({ values: posed, size: 3, weight: unit });
  }
  const A = columns.reduce((sum, { size }) => sum + size, 0);
  const rows = new Float32Array(n * A);
  let first = 0;
  for (const { values, size } of columns) {
    for (let k = 0; k < n * size; k++) rows[Math.floor(k / size) * A + first + (k % size)] = values[k];
    first += size;
  }
  const weights = columns.flatMap(({ size, weight }) => new Array<number>(size).fill(weight));
  return { triangles: indices, positions, attributes: rows, weights };
}

/** Vertices of a primitive in poses at even distances, where the poses are not all the rest. */
function* posesOf(
  { positions }: Mesh,
  { slots, bones, weights }: GltfAsset['scene']['weights'],
  firstVertex: number,
  source: Uint32Array,
  { poses, poseCount }: SurfaceModel,
): Generator<Float32Array> {
  const stride = poses.length / poseCount;
  const count = Math.min(poseCount, MOST_POSES);
  for (let p = 0; p < count; p++) {
    const pose = Math.floor(((p + 0.5) * poseCount) / count) * stride;
    const out = new Float32Array(3 * source.length);
    source.forEach((from, i) => {
      const v = firstVertex + from;
      for (let s = v * slots; s < (v + 1) * slots; s++) {
        for (let r = 0; r < 3; r++) {
          const at = pose + 12 * bones[s] + 4 * r;
          let sum = poses[at + 3];
          for (let c = 0; c < 3; c++) sum += poses[at + c] * positions[3 * v + c];
          out[3 * i + r] += weights[s] * sum;
        }
      }
    });
    yield out;
  }
}

/** The largest side of the box, as the simplifier takes it; 1 for a point. */
function extentOf(positions: Float32Array): number {
  let most = 0;
  for (let c = 0; c < 3; c++) {
    let [low, high] = [Infinity, -Infinity];
    for (let k = c; k < positions.length; k += 3)
      [low, high] = [Math.min(low, positions[k]), Math.max(high, positions[k])];
    most = Math.max(most, high - low);
  }
  return most || 1;
}

function narrowed({ values, size }: VertexArray, wanted: number): ArrayLike<number> {
  return size === wanted ? values : (values as Float32Array).filter((_, k) => k % size < wanted);
}

/** Triangles share what is the same: else nothing could collapse. */
function weldedPrimitive(primitive: FilePrimitive): FilePrimitive {
  const { mode, attributes, targets, source } = primitive;
  const indices = primitive.indices ?? source.map((_, i) => i);
  if (mode !== TRIANGLES) return primitive;
  const rows = [attributes, ...targets].flatMap((arrays) =>
    Array.from(arrays.values(), ({ values, size }) => ({
      bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      stride: size * values.BYTES_PER_ELEMENT,
    })),
  );
  const like = weldRows(rows, source.length);
  return { ...primitive, indices: indices.map((i) => like[i]) };
}

/** With the vertices alone that the triangles use. */
function compacted(primitive: FilePrimitive, triangles: Uint32Array): FilePrimitive {
  const place = new Int32Array(primitive.source.length).fill(-1);
  const order: number[] = [];
  const indices = triangles.map((i) => {
    if (place[i] < 0) place[i] = order.push(i) - 1;
    return place[i];
  });
  const kept = Uint32Array.from(order);
  const move = (arrays: FilePrimitive['attributes']) =>
    new Map([...arrays].map(([key, array]) => [key, { ...array, values: permuted(array.values, array.size, kept) }]));
  return {
    ...primitive,
    indices,
    attributes: move(primitive.attributes),
    targets: primitive.targets.map(move),
    source: kept.map((i) => primitive.source[i]),
  };
}
