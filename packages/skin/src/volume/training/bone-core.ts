/**
 * The interior of a body near the middle of a bone: constraints for a bone in the trunk, which is shorter than its
 * distance from the skin. A ring would cut through the regions of other bones, visibly on the skin.
 */
import type { TetMesh } from '@pelt/model';
import type { BoneSegment } from './bone-segments.ts';
import { distanceToSegment } from './nearest-segments.ts';

/** Radius of the core around the middle half of the bone, relative to its length. */
const THICK = 0.3;
/** Where the interior is sparse, the nearest few within this fraction of the length. */
const FEW = 8;
const FARTHEST = 0.75;
/** Fewer vertices do not determine a rotation. */
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
