/** What every decomposition of a sequence shares, prepared once: trajectories, mesh graph, kernels. */

import { SkinningSystem } from '@pelt/kernels';
import type { Numerics } from '@pelt/math';
import { type MeshSequence, type Run, type RunContext, vertexCount } from '@pelt/model';
import { chooseFrames } from '../shared/choose-frames.ts';
import { coarseGraph } from '../shared/mesh/coarse-graph.ts';
import { type EdgeGraph, edgeGraph } from '../shared/mesh/edge-graph.ts';
import { sampleFrames, sampleTrajectories } from '../shared/sample-trajectories.ts';
import { eRmsOf, takeRounds } from '../shared/search/rounds.ts';
import { type PreparedTrajectories, prepareTrajectories } from '../shared/trajectories.ts';
import type { BoneKind, RoundOptions } from './options.ts';
import { FIT_PLAN, type FitPlan } from './plan.ts';
import { DecompositionRounds, type Descent } from './ssdr.ts';

/** A problem over a sample of the vertices and frames of another. */
export interface ProblemSample {
  /** In the coordinates of the other; it converts no transforms. */
  readonly problem: FitProblem;
  /** n: the sampled vertex nearest to each vertex of the other; −1 for none. */
  readonly owner: Int32Array;
  /** Sampled frames, increasing. */
  readonly frames: Int32Array;
}

/** Root mean square residual of an exact sample, in radii. */
const EXACT = 1e-6;

export interface ProblemSettings {
  readonly plan?: FitPlan;
  /** Called with the system of every round over all vertices. */
  readonly onRound?: (system: SkinningSystem) => void;
}

export class FitProblem {
  readonly numerics: Numerics;
  readonly prepared: PreparedTrajectories;
  readonly graph: EdgeGraph;
  readonly n: number;
  readonly S: number;
  readonly plan: FitPlan;
  readonly #onRound: ((system: SkinningSystem) => void) | undefined;

  /** Over the vertices and triangles of a sequence. */
  static of(sequence: MeshSequence, run: Run, settings: ProblemSettings = {}): FitProblem {
    const graph = edgeGraph(sequence.rest.triangles, vertexCount(sequence.rest));
    return FitProblem.onGraph(sequence, graph, run, settings);
  }

  /** Of vertices whose adjacency is not that of the sequence's triangles, as of a sample. */
  static onGraph(sequence: MeshSequence, graph: EdgeGraph, run: Run, settings: ProblemSettings = {}): FitProblem {
    const prepared = prepareTrajectories(sequence, run.numerics, run);
    return new FitProblem(run.numerics, prepared, graph, sequence.times.length, settings);
  }

  private constructor(
    numerics: Numerics,
    prepared: PreparedTrajectories,
    graph: EdgeGraph,
    frames: number,
    { plan = FIT_PLAN, onRound }: ProblemSettings,
  ) {
    this.numerics = numerics;
    this.prepared = prepared;
    this.graph = graph;
    this.n = graph.starts.length - 1;
    this.S = frames;
    this.plan = plan;
    this.#onRound = onRound;
  }

  /**
   * The problem over a sample of at most so many vertices and frames; itself if it has no more. Frames are spaced evenly, or
   * those that add most.
   */
  sample(vertices: number, frames: number, choice: 'even' | 'different' = 'even'): ProblemSample {
    const { numerics, prepared, graph, n, S, plan } = this;
    if (n <= vertices && S <= frames) {
      return { problem: this, owner: Int32Array.from({ length: n }, (_, i) => i), frames: evenly(S, S) };
    }
    const coarse = coarseGraph(graph, prepared.trajectories.rest, vertices);
    const sampled = choice === 'even' ? evenly(S, frames) : chooseFrames(prepared.trajectories, frames);
    const trajectories = sampleTrajectories(prepared.trajectories, coarse.vertices, sampled, numerics);
    const problem = new FitProblem(numerics, { ...prepared, trajectories }, coarse.graph, sampled.length, { plan });
    return { problem, owner: coarse.owner, frames: sampled };
  }

  /**
   * A sample whose trajectories are as exact as the frames, where those of a problem leave out what no vertex would show.
   *
   * @param sequence  that the problem was made of
   */
  exactSample(sequence: MeshSequence, vertices: number, frames: number): ProblemSample {
    const { numerics, prepared, graph, n, S, plan } = this;
    const whole = n <= vertices;
    const coarse = whole ? undefined : coarseGraph(graph, prepared.trajectories.rest, vertices);
    const own = coarse?.vertices ?? Int32Array.from({ length: n }, (_, i) => i);
    const sampled = S <= frames ? evenly(S, S) : chooseFrames(prepared.trajectories, frames);
    const trajectories = sampleFrames(sequence, prepared.space, own, sampled, EXACT, numerics);
    const settings = { plan };
    const problem = new FitProblem(
      numerics,
      { ...prepared, trajectories },
      coarse?.graph ?? graph,
      sampled.length,
      settings,
    );
    return { problem, owner: coarse?.owner ?? own, frames: sampled };
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

  /** Runs all rounds over an initialised system, leaves the best iterate in it and returns the number of rounds. */
  descend(
    system: SkinningSystem,
    kind: BoneKind,
    options: RoundOptions,
    context: RunContext | undefined,
    descent: Partial<Descent> = {},
  ): number {
    const { plan } = this;
    const whole = { opening: plan.diffusing, settle: true, prices: [0, 0] as const, ...descent };
    const rounds = new DecompositionRounds(this.numerics, system, this.graph, kind, options, whole, plan);
    takeRounds(rounds, system, options.rounds, 'fitting bones and weights', context, () => this.roundDone(system));
    rounds.dispose();
    return rounds.round;
  }
}

/** Up to `count` of the indices below n, evenly spaced. */
function evenly(n: number, count: number): Int32Array {
  const size = Math.min(n, count);
  return Int32Array.from({ length: size }, (_, k) => Math.floor((k * n) / size));
}
