/** The skeleton that `--skeleton` names, with its weights where it is of the mesh that is fitted. */
import { boundsOf, linearRigOf, type MeshSequence } from '@pelt/model';
import type { GivenSkeleton } from '@pelt/skin/skeleton';
import type { Reader } from '../input/load-sequence.ts';
import { openCharacter } from '../input/open-character.ts';

/** A mesh whose vertices are this near to the sequence's, against the longest side of their box, is the same mesh. */
const SAME_MESH = 1e-3;

export async function loadGivenSkeleton(path: string, sequence: MeshSequence, reader: Reader): Promise<GivenSkeleton> {
  const { character } = await openCharacter(path, reader, { unskinned: false });
  // Virtual bones are computed: the skeleton is what drives them.
  const rig = linearRigOf(character);
  // Weights of the same mesh are a good start; of another mesh they say nothing about these vertices.
  if (!sameMesh(rig.mesh.positions, sequence.rest.positions)) return { bones: rig.bones };
  return { bones: rig.bones, weights: rig.weights };
}

function sameMesh(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false;
  const { min, max } = boundsOf(b);
  const longest = Math.max(...max.map((value, d) => value - min[d]));
  return a.every((value, k) => Math.abs(value - b[k]) <= SAME_MESH * longest);
}
