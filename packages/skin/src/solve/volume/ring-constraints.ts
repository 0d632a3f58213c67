/**
 * Which vertices follow the bones exactly: a ring of the surface about the middle of each bone, away from the joints.
 * Found best by experiment among rings, whole segments and points near the axis.
 */
import { NO_VERTEX, type TetMesh } from '@pelt/model';
import type { BoneSegment } from './bone-segments.ts';
import { facesOf, type NearestSegments } from './nearest-segments.ts';

/** Share of a bone's length, on both sides of its middle together, that a ring may take. */
const WIDEST = 0.6;
/** A ring has at least so many vertices, and no gap as wide as half a turn. */
const FEWEST = 5;
/** Farthest vertex of a ring from the axis, in median distances. */
const FARTHEST = 1.8;
/** A ring this many times wider than its bone is long would press on its neighbours' rings. */
const FATTEST = 2.5;

export interface RingConstraints {
  /** Vertices of the body in rings, rising. */
  readonly rings: Uint32Array;
  /** Vertices of parts of the body that have no ring (eyes, buttons): they follow the bones as a whole. Rising. */
  readonly loose: Uint32Array;
}

export function ringConstraints(
  body: TetMesh,
  segments: readonly BoneSegment[],
  nearest: NearestSegments,
): RingConstraints {
  const onSurface = new Set<number>();
  for (const v of body.surface) if (v !== NO_VERTEX) onSurface.add(v);
  const near: number[][] = segments.map(() => []);
  for (const v of onSurface) near[nearest.segment[v]].push(v);
  const chosen = new Set<number>();
  const width = meanSurfaceEdge(body, onSurface);
  segments.forEach((segment, s) => {
    for (const v of ringAbout(body, segment, near[s], width)) chosen.add(v);
  });
  return { rings: Uint32Array.from(chosen).sort(), loose: looseParts(body, chosen) };
}

/** The narrowest ring about the middle of a segment that goes all round; empty where there is none. */
function ringAbout(body: TetMesh, segment: BoneSegment, candidates: readonly number[], width: number): number[] {
  const { from, to } = segment;
  const axis = to.map((value, k) => value - from[k]);
  const length = Math.hypot(...axis);
  if (length === 0) return [];
  const places = candidates.map((v) => {
    const offset = [0, 1, 2].map((k) => body.positions[3 * v + k] - from[k]);
    const along = (offset[0] * axis[0] + offset[1] * axis[1] + offset[2] * axis[2]) / length;
    return { v, along, across: offset.map((value, k) => value - (along / length) * axis[k]) };
  });
  for (let band = width; ; band *= 1.5) {
    const reach = Math.min(band, WIDEST * length);
    const ring = withoutOutliers(places.filter(({ along }) => Math.abs(along - 0.5 * length) <= 0.5 * reach));
    const radius = ring.reduce((sum, { across }) => sum + Math.hypot(...across), 0) / Math.max(ring.length, 1);
    if (radius > FATTEST * length) return [];
    if (ring.length >= FEWEST && goesRound(ring, axis)) return ring.map(({ v }) => v);
    if (band >= WIDEST * length) return [];
  }
}

/** Without places much farther from the axis than most: they are of another part, or of a limb that goes off here. */
function withoutOutliers<T extends { readonly across: readonly number[] }>(ring: readonly T[]): T[] {
  const distances = ring.map(({ across }) => Math.hypot(...across));
  const middle = distances.toSorted((a, b) => a - b)[distances.length >> 1];
  return ring.filter((_, k) => distances[k] <= FARTHEST * middle);
}

/** Whether the places leave no gap of half a turn about the axis. */
function goesRound(ring: readonly { readonly across: readonly number[] }[], axis: readonly number[]): boolean {
  const first = ring.find(({ across }) => Math.hypot(...across) > 0)?.across;
  if (!first) return false;
  const second = [
    axis[1] * first[2] - axis[2] * first[1],
    axis[2] * first[0] - axis[0] * first[2],
    axis[0] * first[1] - axis[1] * first[0],
  ];
  const scale = Math.hypot(...first) / Math.hypot(...second);
  const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const angles = ring.map(({ across }) => Math.atan2(scale * dot(across, second), dot(across, first)));
  angles.sort((a, b) => a - b);
  let gap = angles[0] + 2 * Math.PI - angles[angles.length - 1];
  for (let k = 1; k < angles.length; k++) gap = Math.max(gap, angles[k] - angles[k - 1]);
  return gap < Math.PI;
}

/** Vertices of connected parts without any of the chosen. */
function looseParts(body: TetMesh, chosen: ReadonlySet<number>): Uint32Array {
  const part = Int32Array.from({ length: body.positions.length / 3 }, (_, v) => v);
  const root = (v: number): number => {
    let r = v;
    while (part[r] !== r) r = part[r];
    while (part[v] !== r) [part[v], v] = [r, part[v]];
    return r;
  };
  for (let k = 0; k < body.tetrahedra.length; k++) part[root(body.tetrahedra[k])] = root(body.tetrahedra[k & ~3]);
  const held = new Set<number>();
  for (const v of chosen) held.add(root(v));
  const loose: number[] = [];
  for (let v = 0; v < part.length; v++) if (!held.has(root(v))) loose.push(v);
  return Uint32Array.from(loose);
}

function meanSurfaceEdge(body: TetMesh, onSurface: ReadonlySet<number>): number {
  const { positions } = body;
  const faces = facesOf(body.tetrahedra);
  let sum = 0;
  let count = 0;
  for (let k = 0; k < faces.length; k += 3) {
    const [a, b] = [faces[k], faces[k + 1]];
    if (!onSurface.has(a) || !onSurface.has(b)) continue;
    sum += Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]));
    count++;
  }
  return sum / Math.max(count, 1);
}
