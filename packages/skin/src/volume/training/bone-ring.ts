/**
 * Rings of the surface about a bone, away from its joints: what holds a limb best. Found by experiment among rings, whole
 * segments and points near the axis.
 */
import { atan2 } from '@pelt/math';
import type { TetMesh } from '@pelt/model';
import type { BoneSegment } from './bone-segments.ts';

/** Share of a bone's length, on both sides of its middle together, that a ring may take. */
const WIDEST = 0.6;
/** A ring has at least so many vertices, and no gap as wide as half a turn. */
const FEWEST = 5;
/** Farthest vertex of a ring from the axis, in median distances. */
const FARTHEST = 1.8;
/** A ring whose radius is more than this share of its bone would run through the regions of other bones. */
const FATTEST = 0.75;

/** A joint is left this free, in radii of the ring next to it. */
const REACH = 1.5;
/** Two rings of a bone are at least so far apart, in radii. */
const APART = 1.5;

interface Place {
  readonly v: number;
  /** Distance from the joint along the bone, and what is left across it. */
  readonly along: number;
  readonly across: readonly number[];
}

/**
 * The ring about the middle of a segment; about a slender one two, each as far from its joint as a bend needs, so that the
 * limb between them stays straight. Empty where no ring goes all round.
 *
 * Skin that faces the bone is not round it: in an armpit the flank is near the arm's bone, and held by it would be torn
 * out of the trunk.
 *
 * @param candidates  surface vertices that are nearest to the segment
 * @param normals     v × 3 of the body's vertices, outwards, of any length
 * @param width       of a first try; about an edge
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

/** The narrowest ring at a distance along the axis. */
function ringAt(places: readonly Place[], at: number, axis: readonly number[], width: number): Place[] {
  const length = Math.hypot(...axis);
  for (let band = width; ; band *= 1.5) {
    const wide = Math.min(band, WIDEST * length);
    const ring = withoutOutliers(places.filter(({ along }) => Math.abs(along - at) <= 0.5 * wide));
    if (radiusOf(ring) > FATTEST * length) return [];
    if (ring.length >= FEWEST && goesRound(ring, axis)) return ring;
    if (band >= WIDEST * length) return [];
  }
}

function radiusOf(ring: readonly Place[]): number {
  return ring.reduce((sum, { across }) => sum + Math.hypot(...across), 0) / Math.max(ring.length, 1);
}

/** Without places much farther from the axis than most: they are of another part, or of a limb that goes off here. */
function withoutOutliers(ring: readonly Place[]): Place[] {
  const distances = ring.map(({ across }) => Math.hypot(...across));
  const middle = distances.toSorted((a, b) => a - b)[distances.length >> 1];
  return ring.filter((_, k) => distances[k] <= FARTHEST * middle);
}

/** Whether the places leave no gap of half a turn about the axis. */
function goesRound(ring: readonly Place[], axis: readonly number[]): boolean {
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
