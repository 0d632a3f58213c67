/**
 * An order of the vertices that depends on where they are and how they move, not on where they stand in the file: samples
 * that are taken by index, ties and the order of sums then do not change with it, and the same animation gives the same
 * bones whatever the order of its vertices and triangles.
 *
 * Vertices are sorted by the squared length of their trajectories about the centroids of the frames, which no rigid motion
 * of the model changes but by rounding. What it depends on, and ties, come from an order by coordinates, which is the same
 * to the last bit for any order of the input.
 */
import { distance3 } from '@pelt/math';
import { frameAt, frameCount, gatherVertices, type MeshSequence, vertexCount, type Weld } from '@pelt/model';

/** The welded sequence with its vertices and triangles in that order. */
export function inVertexOrder({ sequence, map, first }: Weld): Weld {
  const byPlace = reordered(sequence, orderByCoordinates(sequence));
  const lengths = trajectoryLengths(byPlace.sequence);
  const byLength = Uint32Array.from(lengths.keys()).sort((a, b) => lengths[a] - lengths[b] || a - b);
  const { sequence: ordered } = reordered(byPlace.sequence, byLength);
  const order = byLength.map((k) => byPlace.order[k]);
  const place = inverseOf(order);
  return { sequence: ordered, map: map.map((i) => place[i]), first: order.map((i) => first[i]) };
}

/** Vertices by x, y, z at rest, then in the first frame in which they differ. */
function orderByCoordinates(sequence: MeshSequence): Uint32Array {
  const { positions } = sequence.rest;
  const poses = [positions, ...Array.from({ length: frameCount(sequence) }, (_, t) => frameAt(sequence, t))];
  return Uint32Array.from({ length: vertexCount(sequence.rest) }, (_, i) => i).sort((a, b) => {
    for (const pose of poses) {
      for (let d = 0; d < 3; d++) if (pose[3 * a + d] !== pose[3 * b + d]) return pose[3 * a + d] - pose[3 * b + d];
    }
    return a - b;
  });
}

/** n, Σ_t ‖v_ti − c_t‖² over the rest pose and all frames, c_t their centroids */
function trajectoryLengths(sequence: MeshSequence): Float64Array {
  const n = vertexCount(sequence.rest);
  const lengths = new Float64Array(n);
  for (let t = -1; t < frameCount(sequence); t++) {
    const pose = t < 0 ? sequence.rest.positions : frameAt(sequence, t);
    const centre = [0, 0, 0];
    for (let k = 0; k < pose.length; k++) centre[k % 3] += pose[k] / n;
    for (let i = 0; i < n; i++) lengths[i] += distance3(pose, 3 * i, centre, 0) ** 2;
  }
  return lengths;
}

function reordered(sequence: MeshSequence, order: Uint32Array): { sequence: MeshSequence; order: Uint32Array } {
  const { rest } = sequence;
  const size = rest.positions.length;
  const frames = new Float32Array(sequence.frames.length);
  for (let t = 0; t < frameCount(sequence); t++) {
    frames.set(gatherVertices(frameAt(sequence, t), 3, order), size * t);
  }
  const mesh = {
    name: rest.name,
    positions: gatherVertices(rest.positions, 3, order),
    triangles: sortedTriangles(rest.triangles, inverseOf(order)),
  };
  return { sequence: { ...sequence, rest: mesh, frames }, order };
}

/** Triangles over renumbered vertices, each from its smallest index on, in increasing order. */
function sortedTriangles(triangles: Uint32Array, place: Uint32Array): Uint32Array {
  const turned = new Uint32Array(triangles.length);
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [place[triangles[k]], place[triangles[k + 1]], place[triangles[k + 2]]];
    const first = corners.indexOf(Math.min(...corners));
    for (let c = 0; c < 3; c++) turned[k + c] = corners[(first + c) % 3];
  }
  const order = Uint32Array.from({ length: triangles.length / 3 }, (_, k) => k);
  order.sort((a, b) => {
    for (let c = 0; c < 3; c++)
      if (turned[3 * a + c] !== turned[3 * b + c]) return turned[3 * a + c] - turned[3 * b + c];
    return a - b;
  });
  return gatherVertices(turned, 3, order);
}

function inverseOf(order: Uint32Array): Uint32Array {
  const place = new Uint32Array(order.length);
  order.forEach((i, k) => {
    place[i] = k;
  });
  return place;
}
