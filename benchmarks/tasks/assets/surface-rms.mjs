/**
 * How far the surface of one glTF is from another's, whatever order its vertices have: for each vertex of the first the
 * vertex of the second whose whole path is nearest, min_j √(Σ_t ‖a_i(t) − b_j(t)‖²). An upper bound of the distance to the
 * surface, which also sees what slides along it.
 */
import { brotliCompressSync } from 'node:zlib';
import { bakeSequence, readGltf } from '@pelt/io';
import { KdTree } from '@pelt/math';

/** Moments in all clips together; at shares of a clip that are keys of no even rate. */
const MOMENTS = 48;
const OFFSET = 0.37;
const RIVALS = 12;
const PROBES = 3;

/**
 * @param atKeys  at the keys of the first clip's first channel, in place of moments between keys
 * @returns root mean square distance as a share of the diagonal of the first at rest
 */
export async function surfaceRms(before, after, atKeys = false) {
  const [a, b] = [await readGltf(before), await readGltf(after)];
  const clips = a.animations.map(({ start, end }) => ({ start, end }));
  const keys = atKeys ? a.animations[0].channels[0].times : undefined;
  const [own, other] = keys ? [keyFrames(a, keys), keyFrames(b, keys)] : [frames(a, clips), frames(b, clips)];
  const used = usedVertices(a);
  const rivals = usedVertices(b);
  const probes = Array.from({ length: PROBES }, (_, k) => {
    const t = Math.floor(((k + 0.5) * own.length) / PROBES);
    const points = Float32Array.from(rivals.flatMap((j) => [...other[t].subarray(3 * j, 3 * j + 3)]));
    return { t, tree: new KdTree(points) };
  });
  const count = Math.min(RIVALS, rivals.length);
  const [index, distance] = [new Uint32Array(count), new Float64Array(count)];
  let sum = 0;
  for (const i of used) {
    let least = Number.POSITIVE_INFINITY;
    for (const { t, tree } of probes) {
      tree.nearest(own[t], 3 * i, count, index, distance);
      for (const k of index) least = Math.min(least, pathDistance(own, other, i, rivals[k], least));
    }
    sum += least;
  }
  return Math.sqrt(sum / (used.length * own.length)) / diagonal(a.mesh.positions);
}

function pathDistance(own, other, i, j, most) {
  let sum = 0;
  for (let t = 0; t < own.length && sum < most; t++) {
    for (let c = 0; c < 3; c++) sum += (own[t][3 * i + c] - other[t][3 * j + c]) ** 2;
  }
  return sum;
}

/** The first clip at the same seconds. */
function keyFrames(asset, keys) {
  const size = asset.mesh.positions.length;
  const times = Array.from(keys, (time) => time - firstKey(asset, 0));
  const baked = bakeSequence(asset, { clip: 0, times });
  return times.map((_, t) => baked.frames.subarray(t * size, (t + 1) * size));
}

/** The same moments of the clips, in their own seconds, whatever keys a file has. */
function frames(asset, clips) {
  const size = asset.mesh.positions.length;
  if (clips.length === 0) return [bakeSequence(asset).frames];
  const each = Math.max(2, Math.floor(MOMENTS / clips.length));
  return clips.flatMap(({ start, end }, clip) => {
    const first = firstKey(asset, clip);
    const times = Array.from({ length: each }, (_, k) => start + ((end - start) * (k + OFFSET)) / each - first);
    const baked = bakeSequence(asset, { clip, times });
    return times.map((_, t) => baked.frames.subarray(t * size, (t + 1) * size));
  });
}

/** Of what moves vertices: baking counts from there. */
function firstKey({ animations, scene }, clip) {
  const moving = new Set();
  for (const { node } of scene.bones) for (let k = node; k >= 0; k = scene.nodes[k].parent) moving.add(k);
  const morphing = new Set(scene.morphs.map(({ node }) => node));
  const keys = animations[clip].channels
    .filter(({ node, path }) => (path === 'weights' ? morphing : moving).has(node))
    .map(({ times }) => times[0]);
  return keys.length > 0 ? Math.min(...keys) : 0;
}

function usedVertices({ mesh }) {
  return [...new Set(mesh.triangles)];
}

function diagonal(positions) {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  positions.forEach((value, k) => {
    min[k % 3] = Math.min(min[k % 3], value);
    max[k % 3] = Math.max(max[k % 3], value);
  });
  return Math.hypot(...max.map((value, axis) => value - min[axis]));
}

export function bytesWithoutImages(bytes) {
  const { images = [], bufferViews } = jsonOf(bytes);
  return images.reduce((left, { bufferView }) => left - (bufferViews[bufferView]?.byteLength ?? 0), bytes.length);
}

/** Of brotli at its best, with images cut out. */
export function brotliWithoutImages(bytes) {
  const { images = [], bufferViews } = jsonOf(bytes);
  const start = 28 + bytes.readUInt32LE(12);
  const cut = images
    .map(({ bufferView }) => bufferViews[bufferView])
    .filter(Boolean)
    .sort((a, b) => (a.byteOffset ?? 0) - (b.byteOffset ?? 0));
  const parts = [];
  let at = 0;
  for (const { byteOffset = 0, byteLength } of cut) {
    parts.push(bytes.subarray(at, start + byteOffset));
    at = start + byteOffset + byteLength;
  }
  return brotliCompressSync(Buffer.concat([...parts, bytes.subarray(at)])).length;
}

/** As a viewer counts them: every primitive has the vertices of its attributes. */
export function vertexCount(bytes) {
  const { meshes, accessors } = jsonOf(bytes);
  return meshes
    .flatMap(({ primitives }) => primitives)
    .reduce((sum, { attributes }) => sum + accessors[attributes.POSITION].count, 0);
}

function jsonOf(bytes) {
  return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}
