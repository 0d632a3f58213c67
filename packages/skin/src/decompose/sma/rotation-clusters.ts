/**
 * Near-rigid parts of a moving mesh for any bandwidth: triangles that turn alike, by mean shift on their rotation
 * sequences. The bandwidth is an angle; how many parts there are follows from it.
 *
 * Tried on six data sets: 2000 groups or 24 coordinates in place of 1000 and 12 (same error, four times the time), cores
 * of half the bandwidth (−20 to +160 %), parts from 0.1 % or 0.4 % of the mesh in place of 0.2 % (worse on most).
 *
 * Reference: James, Twigg. Skinning mesh animations. 2005, section 3.
 */
import { KdTree, type Numerics } from '@pelt/math';
import { checkCancelled, frameCount, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { type Modes, meanShift } from './mean-shift.ts';
import { groupPoints, type PointGroups } from './point-groups.ts';
import { type RigidParts, rigidParts } from './rigid-parts.ts';
import { type RotationCoordinates, rotationCoordinates } from './rotation-coordinates.ts';

/** Share of the variance that the principal coordinates may leave out, and the most of them. */
const LEFT_OUT = 0.05;
const MOST_COORDINATES = 12;
/** Triangles are clustered in so many groups that turn (nearly) identically. */
const GROUPS = 1000;
/** A part with fewer than this share of the vertices is noise. */
const LEAST_SHARE = 0.002;

export class RotationClusters {
  /** Root mean square angle, in degrees, between the rotations of a triangle and their mean over all triangles. */
  readonly spread: number;
  readonly #sequence: MeshSequence;
  readonly #graph: EdgeGraph;
  readonly #points: RotationCoordinates;
  readonly #groups: PointGroups;
  readonly #tree: KdTree;
  /** A distance of points, ‖z − z'‖ ≈ √(2S) · angle, in radians. */
  readonly #radians: number;

  /** @param graph  of the mesh's edges */
  constructor(sequence: MeshSequence, graph: EdgeGraph, numerics: Numerics, context?: RunContext) {
    this.#sequence = sequence;
    this.#graph = graph;
    this.#points = rotationCoordinates(sequence, LEFT_OUT, MOST_COORDINATES, numerics, context);
    const { coordinates, dimension } = this.#points;
    this.#groups = groupPoints(coordinates, dimension, GROUPS, context);
    this.#tree = new KdTree(this.#groups.centres, dimension);
    this.#radians = 1 / Math.sqrt(2 * frameCount(sequence));
    const squared = coordinates.reduce((sum, x) => sum + x * x, 0);
    const count = Math.max(coordinates.length / dimension, 1);
    this.spread = (180 / Math.PI) * this.#radians * Math.sqrt(squared / count);
  }

  /**
   * @param bandwidth  root mean square angle, in degrees, that triangles of one part may turn apart
   */
  at(bandwidth: number, context?: RunContext): RigidParts {
    checkCancelled(context);
    const angle = (bandwidth * Math.PI) / 180;
    const h = angle / this.#radians;
    const modes = meanShift(this.#tree, this.#groups.centres, this.#groups.weights, h, context);
    const n = vertexCount(this.#sequence.rest);
    const modeOf = byMajority(this.#sequence.rest.triangles, this.#coreModes(modes, h), n);
    return rigidParts(this.#sequence, this.#graph, modeOf, angle, LEAST_SHARE * n);
  }

  /** The mode of each triangle that lies within the bandwidth of it; −1 for the others. */
  #coreModes({ centres, modeOf }: Modes, bandwidth: number): Int32Array {
    const { coordinates, dimension } = this.#points;
    return this.#groups.groupOf.map((group, k) => {
      const mode = modeOf[group];
      let squared = 0;
      for (let d = 0; d < dimension; d++) {
        squared += (coordinates[k * dimension + d] - centres[mode * dimension + d]) ** 2;
      }
      return squared <= bandwidth * bandwidth ? mode : -1;
    });
  }
}

/** The mode of most core triangles round each vertex, the lower one of two; −1 where there is none. */
function byMajority(triangles: Uint32Array, cores: Int32Array, n: number): Int32Array {
  const votes = Array.from({ length: n }, () => new Map<number, number>());
  triangles.forEach((i, corner) => {
    const mode = cores[Math.floor(corner / 3)];
    if (mode >= 0) votes[i].set(mode, (votes[i].get(mode) ?? 0) + 1);
  });
  return Int32Array.from(votes, (row) => {
    let [winner, most] = [-1, 0];
    for (const [mode, count] of row) {
      if (count > most || (count === most && mode < winner)) [winner, most] = [mode, count];
    }
    return winner;
  });
}
