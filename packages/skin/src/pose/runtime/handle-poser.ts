/** What poses a mesh by handles has in common: its state, what it is asked, and its options. */
import { resolveOptions, UsageError } from '@pelt/model';
import { POSE_DEFAULTS, type PoseOptions } from '../options.ts';
import type { Handle } from './handle-set.ts';

/** State of the solver; the same object every time. */
export interface PoseState {
  /** Iterations since the handles last changed. */
  readonly iterations: number;
  readonly cost: number;
  /** The solver has converged: the pose does not change until a handle does. */
  readonly atRest: boolean;
}

/** What poses a mesh by handles: a session on a reduced model, or full MeshIK. */
export interface HandlePoser extends Disposable {
  readonly state: PoseState;
  /** E blend weights of the examples; those of their details where regions of the body blend each for itself */
  readonly blend: Float64Array;
  /** Replaces all handles. */
  setHandles(handles: readonly Handle[]): void;
  /** Iterates until convergence or until the clock has passed the deadline; at least once unless it has converged. */
  step(deadline?: number): PoseState;
  /** Writes n × 3 posed positions to `out`. */
  positions(out: Float32Array): Float32Array;
  /** Frees the kernels' memory; it must not be used afterwards. */
  dispose(): void;
}

/** Options over their defaults, checked. */
export function poseOptions(owner: string, options: Partial<PoseOptions> | undefined): PoseOptions {
  const resolved = resolveOptions(owner, POSE_DEFAULTS, options);
  const { bounds, pull, ridge, tolerance, starts, ease } = resolved;
  if (bounds && !(bounds[0] <= 0 && bounds[1] >= 0)) {
    throw new UsageError(`${owner}: the bounds ${bounds[0]} to ${bounds[1]} exclude 0, the rest pose; include it`);
  }
  if (!(pull > 0)) throw new UsageError(`${owner}: pull is ${pull}; give a number above 0`);
  for (const [name, value] of Object.entries({ ridge, tolerance })) {
    if (!(value >= 0)) throw new UsageError(`${owner}: ${name} is ${value}; give a number from 0 on`);
  }
  for (const [name, value] of Object.entries({ starts, ease })) {
    if (Number.isInteger(value) && value >= 0) continue;
    throw new UsageError(`${owner}: ${name} is ${value}; give a whole number from 0 on`);
  }
  return resolved;
}
