/**
 * Near-rigid parts of a moving mesh: clusters of triangles that turn alike, by mean shift. How many there are follows
 * from the bandwidth, an angle; where a number is asked for, the bandwidth is searched that comes nearest to it from
 * below.
 *
 * Reference: James, Twigg. Skinning mesh animations. 2005, section 3.
 */
import { KdTree, type Numerics } from '@pelt/math';
import { checkCancelled, frameCount, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';
import { type Modes, meanShift } from './mean-shift.ts';
import { groupPoints, type PointGroups } from './point-groups.ts';
import { principalCoordinates } from './principal-coordinates.ts';
import { TriangleRotations } from './triangle-rotations.ts';

export interface RotationClusters {
  /** Clusters. */
  readonly count: number;
  /** n, the cluster whose core triangles a vertex belongs to; −1 for none */
  readonly coreOf: Int32Array;
  /** Root mean square angle, in degrees, that triangles of one cluster may turn apart. */
  readonly bandwidth: number;
}

/** Share of the variance that the principal coordinates may leave out, and the most of them. */
const LEFT_OUT = 0.05;
const MOST_DIMENSIONS = 24;
/** Triangles are clustered by so many groups that turn (nearly) identically. */
const GROUPS = 2000;
/** A cluster with fewer than this share of the triangles is noise. */
const LEAST_SHARE = 1e-3;
/** Vertices that a bone needs at least for its rotation. */
const LEAST_VERTICES = 4;
/** Bandwidths that are tried, from the spread of all rotations downwards, and how often the gap is halved after. */
const RUNGS = 20;
const RUNG_RATIO = 0.85;
const WIDEST = 1.2;
const HALVINGS = 4;

/**
 * @param bones      find the bandwidth that gives so many clusters, or a few less
 * @param bandwidth  in degrees; given, `bones` is only the most
 */
export function rotationClusters(
  sequence: MeshSequence,
  bones: number,
  bandwidth: number | undefined,
  numerics: Numerics,
  context?: RunContext,
): RotationClusters {
  const rotations = new TriangleRotations(sequence);
  const triangles = rotations.usable;
  if (triangles.length === 0) return { count: 0, coreOf: new Int32Array(vertexCount(sequence.rest)).fill(-1), bandwidth: 0 };
  const { coordinates, dimension } = principalCoordinates(
    triangles.length,
    rotations.dimension,
    (k, out, at) => rotations.gather(triangles[k], out, at),
    LEFT_OUT,
    MOST_DIMENSIONS,
    numerics,
    context,
  );
  const groups = groupPoints(coordinates, dimension, GROUPS);
  const tree = new KdTree(groups.centres, dimension);
  // ‖R − R'‖ ≈ √2 · angle in every frame.
  const degrees = 180 / Math.PI / Math.sqrt(2 * frameCount(sequence));

  const cluster = (h: number): RotationClusters => {
    checkCancelled(context);
    const modes = meanShift(tree, groups.centres, groups.weights, h, context);
    return { ...coresOf(sequence, triangles, coordinates, groups, modes, h), bandwidth: h * degrees };
  };
  if (bandwidth !== undefined) return cluster(bandwidth / degrees);
  const spread = Math.sqrt(coordinates.reduce((sum, x) => sum + x * x, 0) / triangles.length);
  return nearestFromBelow(bones, WIDEST * spread, cluster);
}

/** Narrower bandwidths give more clusters: the narrowest with at most `bones` of them. */
function nearestFromBelow(bones: number, widest: number, cluster: (h: number) => RotationClusters): RotationClusters {
  if (!(widest > 0)) return cluster(1);
  let best: RotationClusters | undefined;
  const fits = (h: number): boolean => {
    const found = cluster(h);
    if (found.count > bones) return false;
    if (!best || found.count >= best.count) best = found;
    return true;
  };
  // Rung `low` fits (rung 0 is one cluster or few), rung `high` does not.
  let [low, high] = [0, RUNGS];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(widest * RUNG_RATIO ** middle)) low = middle;
    else high = middle;
  }
  let [wide, narrow] = [widest * RUNG_RATIO ** low, widest * RUNG_RATIO ** high];
  for (let k = 0; k < HALVINGS && best?.count !== bones; k++) {
    const h = Math.sqrt(wide * narrow);
    if (fits(h)) wide = h;
    else narrow = h;
  }
  return best ?? cluster(2 * widest);
}

/** Core triangles lie within the bandwidth of their mode; a vertex goes where most of its core triangles are. */
function coresOf(
  sequence: MeshSequence,
  usable: Uint32Array,
  coordinates: Float64Array,
  groups: PointGroups,
  { centres, modeOf }: Modes,
  bandwidth: number,
): { count: number; coreOf: Int32Array } {
  const dimension = coordinates.length / usable.length;
  const modes = centres.length / dimension;
  const coreMode = new Int32Array(usable.length).fill(-1);
  const sizes = new Int32Array(modes);
  for (let k = 0; k < usable.length; k++) {
    const mode = modeOf[groups.groupOf[k]];
    let squared = 0;
    for (let d = 0; d < dimension; d++) squared += (coordinates[k * dimension + d] - centres[mode * dimension + d]) ** 2;
    if (squared > bandwidth * bandwidth) continue;
    coreMode[k] = mode;
    sizes[mode]++;
  }
  const votes = Array.from({ length: vertexCount(sequence.rest) }, () => new Map<number, number>());
  coreMode.forEach((mode, k) => {
    if (mode < 0 || sizes[mode] < LEAST_SHARE * usable.length) return;
    for (let corner = 0; corner < 3; corner++) {
      const row = votes[sequence.rest.triangles[3 * usable[k] + corner]];
      row.set(mode, (row.get(mode) ?? 0) + 1);
    }
  });
  const coreOf = new Int32Array(votes.length).fill(-1);
  const members = new Int32Array(modes);
  votes.forEach((row, i) => {
    let most = 0;
    for (const [mode, count] of row) {
      if (count < most || (count === most && mode > coreOf[i])) continue;
      most = count;
      coreOf[i] = mode;
    }
    if (coreOf[i] >= 0) members[coreOf[i]]++;
  });
  const newIndex = new Int32Array(modes).fill(-1);
  let count = 0;
  for (let mode = 0; mode < modes; mode++) if (members[mode] >= LEAST_VERTICES) newIndex[mode] = count++;
  return { count, coreOf: coreOf.map((mode) => (mode < 0 ? -1 : newIndex[mode])) };
}
