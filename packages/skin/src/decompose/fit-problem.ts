/** What every decomposition of a sequence shares, prepared once: trajectories, mesh graph, kernels. */

import { type Numerics, SkinningSystem, type Trajectories } from '@pelt/math';
import { type MeshSequence, type Run, type RunContext, vertexCount } from '@pelt/model';
import { coarseGraph } from '../shared/mesh/coarse-graph.ts';
import { type EdgeGraph, edgeGraph } from '../shared/mesh/edge-graph.ts';
import { eRmsOf, takeRounds } from '../shared/rounds.ts';
import { type PreparedTrajectories, prepareTrajectories } from '../shared/trajectories.ts';
import type { BoneKind, RoundOptions } from './options.ts';
import { DecompositionRounds, OPENING } from './ssdr.ts';

export class FitProblem {
  readonly numerics: Numerics;
  readonly prepared: PreparedTrajectories;
  readonly graph: EdgeGraph;
  readonly n: number;
  readonly S: number;
  readonly #onRound: ((system: SkinningSystem) => void) | undefined;

  /** @param onRound  called with the system of every round over all vertices */
  static of(sequence: MeshSequence, run: Run, onRound?: (system: SkinningSystem) => void): FitProblem {
    const graph = edgeGraph(sequence.rest.triangles, vertexCount(sequence.rest));
    return FitProblem.onGraph(sequence, graph, run, onRound);
  }

  /** Of vertices whose adjacency is not that of the sequence's triangles, as of a sample. */
  static onGraph(
    sequence: MeshSequence,
    graph: EdgeGraph,
    run: Run,
    onRound?: (system: SkinningSystem) => void,
  ): FitProblem {
    const prepared = prepareTrajectories(sequence, run.numerics, run);
    return new FitProblem(run.numerics, prepared, graph, sequence.times.length, onRound);
  }

  private constructor(
    numerics: Numerics,
    prepared: PreparedTrajectories,
    graph: EdgeGraph,
    frames: number,
    onRound?: (system: SkinningSystem) => void,
  ) {
    this.numerics = numerics;
    this.prepared = prepared;
    this.graph = graph;
    this.n = graph.starts.length - 1;
    this.S = frames;
    this.#onRound = onRound;
  }

  /** The problem over a sample of the vertices; itself if it has no more than `count`. */
  coarser(count: number): FitProblem {
    if (this.n <= count) return this;
    const { vertices, graph } = coarseGraph(this.graph, count);
    const trajectories = sampled(this.prepared.trajectories, vertices);
    return new FitProblem(this.numerics, { ...this.prepared, trajectories }, graph, this.S);
  }

  /** A system without weights or transforms. The caller disposes it. */
  system(bones: number, slots: number): SkinningSystem {
    return new SkinningSystem(this.numerics, this.prepared.trajectories, bones, Math.min(slots, bones));
  }

  /** E_RMS of a total squared error. */
  eRms(error: number): number {
    return eRmsOf(this, error);
  }

  /** Tells whoever watches of a system that has weights and transforms. */
  roundDone(system: SkinningSystem): void {
    this.#onRound?.(system);
  }

  /**
   * Runs all rounds over an initialised system, leaves the best iterate in it and returns the number of rounds.
   *
   * @param opening  rounds that diffuse the initial weights along the mesh; 0 if they are spread already
   */
  descend(
    system: SkinningSystem,
    kind: BoneKind,
    options: RoundOptions,
    context: RunContext | undefined,
    opening = OPENING,
  ): number {
    const rounds = new DecompositionRounds(this.numerics, system, this.graph, kind, options, opening);
    takeRounds(rounds, system, options.rounds, 'fitting bones and weights', context, () => this.roundDone(system));
    rounds.dispose();
    return rounds.round;
  }
}

/** The trajectories of some of the vertices, in the same basis. */
function sampled({ rest, basis, coefficients, squaredNorms }: Trajectories, vertices: Int32Array): Trajectories {
  const r = coefficients.length / squaredNorms.length;
  const rows = (values: Float64Array, width: number) => {
    const out = new Float64Array(vertices.length * width);
    vertices.forEach((i, k) => {
      out.set(values.subarray(i * width, (i + 1) * width), k * width);
    });
    return out;
  };
  return { rest: rows(rest, 3), basis, coefficients: rows(coefficients, r), squaredNorms: rows(squaredNorms, 1) };
}
