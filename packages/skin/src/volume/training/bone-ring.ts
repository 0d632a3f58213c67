/**
 * Rings of surface vertices around a bone, away from its joints: the best constraints for a limb, among rings, whole
 * segments and points near the axis, which were compared by experiment.
 */
import { atan2 } from '@pelt/math';
import type { TetMesh } from '@pelt/model';
import type { BoneSegment } from './bone-segments.ts';

/** Largest width of a ring, relative to the bone's length. */
const WIDEST = 0.6;
/** Least number of vertices of a ring. */
const FEWEST = 5;
/** Largest distance of a ring's vertex from the axis, relative to the median. */
const FARTHEST = 1.8;
/** Largest radius of a ring, relative to the bone's length: a larger one would cross the regions of other bones. */
const FATTEST = 0.75;

/** Distance of a ring from the joint, in radii. */
const REACH = 1.5;
/** Least distance between two rings of a bone, in radii. */
const APART = 1.5;

interface Place {
  readonly v: number;
  /** Distance from the joint along the bone, and the component orthogonal to it. */
  readonly along: number;
  readonly across: readonly number[];
}

/**
 * The ring around the middle of a segment; for a slender segment two rings, each at the distance from its joint that a
 * bend needs, so that the limb between them stays straight. Empty where no ring is closed.
 *
 * Skin whose normal points towards the bone is excluded: in an armpit the flank is near the bone of the arm, and would be
 * pulled out of the trunk.
 *
 * @param candidates  surface vertices that are nearest to the segment
 * @param normals     v × 3 outward normals of the body's vertices, of any length
 * @param width       initial width of a ring, about an edge
 */
export function ringsAbout(
  body: TetMesh,
  { from, to }: BoneSegment,
  candidates: readonly number[],
  normals: Float64Array,
  width: number,
): number[] {
  const axis = to.map((value, k) => value - from[k]);
  const length = Math.hypot(...axis);
  if (length === 0) return [];
  const places = candidates
    .map((v): Place => {
      const offset = [0, 1, 2].map((k) => body.positions[3 * v + k] - from[k]);
      const along = (offset[0] * axis[0] + offset[1] * axis[1] + offset[2] * axis[2]) / length;
      return { v, along, across: offset.map((value, k) => value - (along / length) * axis[k]) };
    })
    .filter(({ v, across }) => across.reduce((sum, value, k) => sum + value * normals[3 * v + k], 0) >= 0);
  const middle = ringAt(places, 0.5 * length, axis, width);
  if (middle.length === 0) return [];
  const reach = REACH * radiusOf(middle);
  const two = [reach, length - reach].map((along) => ringAt(places, along, axis, width));
  const apart = length - 2 * reach > APART * radiusOf(middle);
  const rings = apart && two.every((ring) => ring.length > 0) ? two.flat() : middle;
  return rings.map(({ v }) => v);
}

/** The narrowest closed ring at a distance along the axis. */
function ringAt(places: readonly Place[], at: number, axis: readonly number[], width: number): Place[] {
  const length = Math.hypot(...axis);
  for (let band = width; ; band *= 1.5) {
    const wide = Math.min(band, WIDEST * length);
    const ring = withoutOutliers(places.filter(({ along }) => Math.abs(along - at) <= 0.5 * wide));
    if (radiusOf(ring) > FATTEST * length) return [];
    if (ring.length >= FEWEST && isClosed(ring, axis)) return ring;
    if (band >= WIDEST * length) return [];
  }
}

function radiusOf(ring: readonly Place[]): number {
  return ring.reduce((sum, { across }) => sum + Math.hypot(...across), 0) / Math.max(ring.length, 1);
}

/** Removes vertices much farther from the axis than the median, which belong to another part or to a branching limb. */
function withoutOutliers(ring: readonly Place[]): Place[] {
  const distances = ring.map(({ across }) => Math.hypot(...across));
  const middle = distances.toSorted((a, b) => a - b)[distances.length >> 1];
  return ring.filter((_, k) => distances[k] <= FARTHEST * middle);
}

/** Whether the ring has no gap of half a turn around the axis. */
function isClosed(ring: readonly Place[], axis: readonly number[]): boolean {
  const first = ring.find(({ across }) => Math.hypot(...across) > 0)?.across;
  if (!first) return false;
  const second = [
    axis[1] * first[2] - axis[2] * first[1],
    axis[2] * first[0] - axis[0] * first[2],
    axis[0] * first[1] - axis[1] * first[0],
  ];
  const scale = Math.hypot(...first) / Math.hypot(...second);
  const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const angles = ring.map(({ across }) => atan2(scale * dot(across, second), dot(across, first)));
  angles.sort((a, b) => a - b);
  let gap = angles[0] + 2 * Math.PI - angles[angles.length - 1];
  for (let k = 1; k < angles.length; k++) gap = Math.max(gap, angles[k] - angles[k - 1]);
  return gap < Math.PI;
}
