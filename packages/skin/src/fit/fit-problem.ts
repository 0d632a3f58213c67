/** What every decomposition of a sequence shares, prepared once: trajectories, mesh graph, kernels, options. */
import { type Numerics, SkinningSystem } from '@pelt/math';
import { checkCancelled, type MeshSequence, type RunContext, vertexCount } from '@pelt/model';
import { type EdgeGraph, edgeGraph } from '../mesh/edge-graph.ts';
import { type PreparedTrajectories, prepareTrajectories } from '../solve/trajectories.ts';
import { type BoneKind, DecompositionRounds, type RoundOptions } from './ssdr.ts';

export class FitProblem {
  readonly numerics: Numerics;
  readonly prepared: PreparedTrajectories;
  readonly graph: EdgeGraph;
  readonly n: number;
  readonly S: number;

  constructor(sequence: MeshSequence, numerics: Numerics, context: RunContext | undefined) {
    this.numerics = numerics;
    this.n = vertexCount(sequence.rest);
    this.S = sequence.times.length;
    this.prepared = prepareTrajectories(sequence, numerics, context);
    this.graph = edgeGraph(sequence.rest.triangles, this.n);
  }

  /** A system without weights or transforms; the caller disposes it. */
  system(bones: number, slots: number): SkinningSystem {
    return new SkinningSystem(this.numerics, this.prepared.trajectories, bones, Math.min(slots, bones));
  }

  /** E_RMS of a total squared error. */
  eRms(error: number): number {
    return 1000 * Math.sqrt(error / (3 * this.n * this.S));
  }

  /** All rounds over a system that holds a start; leaves the best iterate in it, and returns how many there were. */
  descend(system: SkinningSystem, kind: BoneKind, options: RoundOptions, context: RunContext | undefined): number {
    const rounds = new DecompositionRounds(this.numerics, system, this.graph, kind, options);
    try {
      let going = true;
      while (going) {
        checkCancelled(context);
        going = rounds.step();
        context?.onProgress?.({
          stage: 'fitting bones and weights',
          fraction: rounds.round / options.rounds,
          detail: `${system.m} bones, round ${rounds.round}, E_RMS ${this.eRms(rounds.bestError).toFixed(3)}`,
        });
      }
      rounds.finish();
      return rounds.round;
    } finally {
      rounds.dispose();
    }
  }
}
