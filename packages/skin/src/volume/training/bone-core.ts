/**
 * The inside of a body next to the middle of a bone: what holds a bone in a trunk, whose skin lies farther away than the
 * bone is long. A ring there would cut through the regions of other bones, and the skin would show it.
 */
import type { TetMesh } from '@pelt/model';
import type { BoneSegment } from './bone-segments.ts';
import { distanceToSegment } from './nearest-segments.ts';

/** All within this share of the bone's length of its middle half are of the core. */
const THICK = 0.3;
/** Where the inside is sparse, the nearest few, up to this share of the length away. */
const FEW = 8;
const FARTHEST = 0.75;
/** Fewer do not say how a bone is turned. */
const FEWEST = 4;

/** @param candidates  vertices that are nearest to the segment */
export function coreOf(body: TetMesh, { bone, from, to }: BoneSegment, candidates: readonly number[]): number[] {
  const at = (share: number) => from.map((value, axis) => value + share * (to[axis] - value));
  const [fx, fy, fz] = at(0.25);
  const [tx, ty, tz] = at(0.75);
  const middle: BoneSegment = { bone, from: [fx, fy, fz], to: [tx, ty, tz] };
  const length = Math.hypot(...from.map((value, axis) => to[axis] - value));
  const places = candidates
    .map((v) => ({ v, away: distanceToSegment(body.positions, v, middle) }))
    .sort((a, b) => a.away - b.away || a.v - b.v);
  const core = places.filter(({ away }, k) => away <= (k < FEW ? FARTHEST : THICK) * length);
  return core.length >= FEWEST ? core.map(({ v }) => v) : [];
}
