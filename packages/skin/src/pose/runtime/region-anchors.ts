/**
 * What holds a character while one or two handles pull it: points all over it that are as far apart as can be, feet, head and
 * tail first, softly kept where they are, but for those near a handle in its region. A single handle by itself would carry
 * the whole character along; with points in the middle of each region, regions would turn about them, and with its two ends
 * a region that has two legs and a tail would swing one of them.
 */
import { distance3 } from '@pelt/math';
import { type Poser, TRANSFORM_SIZE } from '@pelt/model';
import { farthestVertices } from './farthest-vertices.ts';
import type { Handle } from './handle-set.ts';

/**
 * Distance, in model sizes, by which an anchor yields to a unit force, beside a handle and from FAR on. With 14 anchors of
 * 0.1 everywhere, a foot pulled by a tenth of the size moved what is half a size away by up to 0.25 % (horse) and 0.26 %
 * (cat), but a part that never moves in the examples bends the body between them.
 */
const SOFTNESS = 0.1;
const FIRM = 0.005;
const ANCHORS = 40;
/** Distance at rest, in model sizes, within which a handle frees the ends of its own region; and from which all is firm. */
const NEAR = 0.3;
const FAR = 0.5;

/** A handle whose target can be moved. */
interface Anchor extends Handle {
  readonly target: Float64Array;
  softness?: number;
}

export class RegionAnchors {
  readonly #poser: Poser;
  readonly #anchors: readonly Anchor[];
  /** Found when they are first wanted. */
  #feet: readonly Anchor[] | undefined;

  constructor(poser: Poser) {
    this.#poser = poser;
    const vertices = farthestVertices(poser.rig.mesh.positions, ANCHORS);
    this.#anchors = vertices.map((vertex) => ({ vertex, target: new Float64Array(3), softness: SOFTNESS }));
  }

  /** The region that has most of a vertex. */
  regionOf(vertex: number): number {
    const { regions, vertexProxies } = this.#poser;
    if (!regions) return 0;
    const R = regions.parents.length;
    const at = vertexProxies[vertex] * R;
    let most = 0;
    for (let r = 1; r < R; r++) if (regions.shares[at + r] > regions.shares[at + most]) most = r;
    return most;
  }

  /** Feet that stand, but for those in the region of a handle, where a pose has them. */
  plant(handles: readonly Handle[], transforms: Float64Array, blend: Float64Array, out: Handle[]): void {
    this.#feet ??= standingFeet(this.#poser, (vertex) => this.regionOf(vertex)).map((vertex) => ({
      vertex,
      target: new Float64Array(3),
    }));
    for (const foot of this.#feet) {
      if (handles.some(({ vertex }) => this.regionOf(vertex) === this.regionOf(foot.vertex))) continue;
      vertexPosition(this.#poser, foot.vertex, transforms, blend, foot.target);
      out.push(foot);
    }
  }

  /**
   * Anchors but for those near a handle in their region, where a pose has them.
   *
   * @param transforms  m × 12
   * @param blend       shares of the examples' details
   * @param out         appended to
   */
  hold(handles: readonly Handle[], transforms: Float64Array, blend: Float64Array, out: Handle[]): void {
    const { positions } = this.#poser.rig.mesh;
    for (const anchor of this.#anchors) {
      const region = this.regionOf(anchor.vertex);
      let nearest = Number.POSITIVE_INFINITY;
      let isFree = false;
      for (const { vertex } of handles) {
        const away = distance3(positions, 3 * vertex, positions, 3 * anchor.vertex) / this.#poser.size;
        nearest = Math.min(nearest, away);
        isFree ||= away < NEAR && this.regionOf(vertex) === region;
      }
      if (isFree) continue;
      const share = Math.min(nearest / FAR, 1);
      anchor.softness = SOFTNESS + (FIRM - SOFTNESS) * share ** 4;
      vertexPosition(this.#poser, anchor.vertex, transforms, blend, anchor.target);
      out.push(anchor);
    }
  }
}

/** Height above the lowest point, and median movement over the examples, of a foot that stands, in model sizes. */
const STANDING = 0.04;
const STILL = 0.05;

/**
 * Feet: the lowest vertex of every region, with y up, where it is near the ground and hardly moves over the examples.
 */
export function standingFeet(poser: Poser, regionOf: (vertex: number) => number): number[] {
  const { rig, size } = poser;
  const { positions } = rig.mesh;
  const lowest = new Map<number, number>();
  let ground = Number.POSITIVE_INFINITY;
  for (let i = 0; 3 * i < positions.length; i++) {
    const region = regionOf(i);
    const best = lowest.get(region);
    if (best === undefined || positions[3 * i + 1] < positions[3 * best + 1]) lowest.set(region, i);
    ground = Math.min(ground, positions[3 * i + 1]);
  }
  const length = TRANSFORM_SIZE * rig.bones.length;
  const place = new Float64Array(3);
  const blend = new Float64Array(poser.exampleNames.length);
  return [...lowest.values()].filter((i) => {
    if (positions[3 * i + 1] > ground + STANDING * size) return false;
    const moved = poser.exampleNames.map((_, e) => {
      blend.fill(0)[e] = 1;
      vertexPosition(poser, i, poser.exampleTransforms.subarray(e * length, (e + 1) * length), blend, place);
      return distance3(place, 0, positions, 3 * i);
    });
    return moved.sort((a, b) => a - b)[moved.length >> 1] <= STILL * size;
  });
}

/**
 * Where a pose has one vertex.
 *
 * @param out  3; overwritten
 */
export function vertexPosition(
  { rig, exampleDetails }: Poser,
  i: number,
  transforms: Float64Array,
  blend: Float64Array,
  out: Float64Array,
): void {
  const { slots, bones, weights } = rig.weights;
  out.fill(0);
  for (let s = i * slots; s < (i + 1) * slots; s++) {
    const at = TRANSFORM_SIZE * bones[s];
    for (let c = 0; c < 3; c++) {
      let place = rig.mesh.positions[3 * i + c];
      for (let e = 0; e < exampleDetails.length; e++) place += blend[e] * exampleDetails[e][3 * i + c];
      for (let r = 0; r < 3; r++) out[r] += weights[s] * transforms[at + 4 * r + c] * place;
    }
    for (let r = 0; r < 3; r++) out[r] += weights[s] * transforms[at + 4 * r + 3];
  }
}
