import type { SkinningSystem } from '@pelt/kernels';
import type { MeshSequence } from '@pelt/model';
import type { PreparedTrajectories } from './trajectories.ts';

/** Rest positions of a system in model space: the input's to the last bit where the solver has not moved them. */
export function restPositions(
  { rest: { positions } }: MeshSequence,
  prepared: PreparedTrajectories,
  { rest, originalRest }: SkinningSystem,
): Float32Array {
  return prepared.restToModel(rest.view).map((value, k) => (rest.view[k] === originalRest[k] ? positions[k] : value));
}
