/** Which vertices follow the bones exactly: rings of the surface about a limb's bone, a core in one of the trunk. */
import { NO_VERTEX, type TetMesh, vertexNormals } from '@pelt/model';
import { coreOf } from './bone-core.ts';
import { ringsAbout } from './bone-ring.ts';
import type { BoneSegment } from './bone-segments.ts';
import { facesOf, type NearestSegments } from './nearest-segments.ts';

/** Vertices of the body, rising; each follows the bone of its nearest segment. Short bones may have none. */
export function boneConstraints(
  body: TetMesh,
  segments: readonly BoneSegment[],
  nearest: NearestSegments,
): Uint32Array {
  const onSurface = new Set<number>();
  for (const v of body.surface) if (v !== NO_VERTEX) onSurface.add(v);
  const near: number[][] = segments.map(() => []);
  nearest.segment.forEach((s, v) => {
    near[s].push(v);
  });
  const width = meanSurfaceEdge(body, onSurface);
  const normals = outwardNormals(body);
  const chosen = segments.flatMap((segment, s) => {
    const skin = near[s].filter((v) => onSurface.has(v));
    const rings = ringsAbout(body, segment, skin, normals, width);
    return rings.length > 0 ? rings : coreOf(body, segment, near[s]);
  });
  const bones = new Map(chosen.map((v) => [v, segments[nearest.segment[v]].bone]));
  leaveRoomBetween(body, bones);
  return Uint32Array.from(bones.keys()).sort();
}

/** Drops vertices that share a tetrahedron with some of another bone: with all its corners held it could not give way. */
function leaveRoomBetween({ tetrahedra }: TetMesh, bones: Map<number, number>): void {
  const dropped = new Set<number>();
  for (let k = 0; k < tetrahedra.length; k += 4) {
    const held = [...tetrahedra.subarray(k, k + 4)].filter((v) => bones.has(v));
    if (held.some((v) => bones.get(v) !== bones.get(held[0]))) for (const v of held) dropped.add(v);
  }
  for (const v of dropped) bones.delete(v);
}

/** v × 3: the area vectors of the faces at each vertex, added up. Those of inner faces are met from both sides and cancel. */
function outwardNormals({ positions, tetrahedra }: TetMesh): Float64Array {
  return vertexNormals(positions, facesOf(tetrahedra), new Float64Array(positions.length));
}

/** The mean length of edges between the mesh's vertices; of all edges of the body where it was cut finer. */
function meanSurfaceEdge(body: TetMesh, onSurface: ReadonlySet<number>): number {
  const { positions } = body;
  const faces = facesOf(body.tetrahedra);
  const [ofSurface, ofAll] = [
    { sum: 0, count: 0 },
    { sum: 0, count: 0 },
  ];
  for (let k = 0; k < faces.length; k += 3) {
    const [a, b] = [faces[k], faces[k + 1]];
    const length = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]));
    for (const mean of onSurface.has(a) && onSurface.has(b) ? [ofSurface, ofAll] : [ofAll]) {
      mean.sum += length;
      mean.count++;
    }
  }
  const { sum, count } = ofSurface.count > 0 ? ofSurface : ofAll;
  return sum / Math.max(count, 1);
}
