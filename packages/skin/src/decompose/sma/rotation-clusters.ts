/**
 * Near-rigid parts of an animated mesh for a given bandwidth: mean shift on the triangles' rotation sequences. The
 * bandwidth is an angle and determines the number of parts.
 *
 * Tried and left out: docs/experiments/sma.md.
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

/** Fraction of the variance that the principal coordinates may discard, and their maximum number. */
const LEFT_OUT = 0.05;
const MOST_COORDINATES = 12;
/** Number of groups of nearly identical triangles that are clustered. */
const GROUPS = 1000;
/** A part with less than this fraction of the vertices is noise. */
const LEAST_SHARE = 0.002;

export class RotationClusters {
  /** Root mean square angle, in degrees, between the rotations of a triangle and their mean over all triangles. */
  readonly spread: number;
  readonly #sequence: MeshSequence;
  readonly #graph: EdgeGraph;
  readonly #points: RotationCoordinates;
  readonly #groups: PointGroups;
  readonly #tree: KdTree;
  /** Radians per unit of distance between points: ‖z − z'‖ ≈ √(2S) · angle. */
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

  /** @param bandwidth  root mean square angle, in degrees, between triangles of one part */
  at(bandwidth: number, context?: RunContext): RigidParts {
    checkCancelled(context);
    const angle = (bandwidth * Math.PI) / 180;
    const h = angle / this.#radians;
    const modes = meanShift(this.#tree, this.#groups.centres, this.#groups.weights, h, context);
    const n = vertexCount(this.#sequence.rest);
    const modeOf = byMajority(this.#sequence.rest.triangles, this.#coreModes(modes, h), n);
    return rigidParts(this.#sequence, this.#graph, modeOf, angle, LEAST_SHARE * n);
  }

  /** The mode of each triangle within the bandwidth of it; −1 for the others. */
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

/** The mode of most core triangles around each vertex, ties to the lower index; −1 if there is none. */
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
