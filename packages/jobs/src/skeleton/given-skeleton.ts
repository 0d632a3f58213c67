/** The skeleton that `--skeleton` names, with its weights where it is of the mesh that is fitted. */
import { linearRigOf, type MeshSequence } from '@pelt/model';
import type { GivenSkeleton } from '@pelt/skin/skeleton';
import type { Reader } from '../input/load-sequence.ts';
import { openCharacter } from '../input/open-character.ts';
import { isSameMesh } from '../input/same-mesh.ts';

export async function loadGivenSkeleton(path: string, sequence: MeshSequence, reader: Reader): Promise<GivenSkeleton> {
  const { character } = await openCharacter(path, reader, { unskinned: false });
  // Virtual bones are computed: the skeleton is what drives them.
  const rig = linearRigOf(character);
  // Weights of the same mesh are a good start; of another mesh they say nothing about these vertices.
  if (!isSameMesh(rig.mesh.positions, sequence.rest.positions)) return { bones: rig.bones };
  return { bones: rig.bones, weights: rig.weights };
}
