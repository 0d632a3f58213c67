/** Springs of an avatar name its bones, and clips do not move these: a reduction judged by clips must not take them away. */
import { springNodes } from '@pelt/io';
import { type SkinWeights, UnsupportedError } from '@pelt/model';
import type { SmallerRig } from './reduce-rig.ts';
import type { ReductionSource } from './reduction-source.ts';

/** Bones of the rig that swing by themselves. */
export function springBones({ asset, file }: ReductionSource): number[] {
  const nodes = springNodes(file.bytes);
  return asset.scene.bones.flatMap(({ node }, j) => (nodes.has(node) ? [j] : []));
}

/** @throws UnsupportedError where a bone that swings would move nothing any more */
export function requireSprings(source: ReductionSource, { edit, model }: SmallerRig): void {
  if (!model && !edit.weights) return;
  const springs = springBones(source);
  if (springs.length === 0) return;
  const { name, asset } = source;
  if (model) {
    throw new UnsupportedError(
      `'${name}' has springs on ${springs.length} bones, and other bones would lose them; --method refit --keep-bones leaves them`,
    );
  }
  const [before, after] = [usedBones(asset.scene.weights), usedBones(edit.weights as SkinWeights)];
  const lost = springs.find((j) => before.has(j) && !after.has(j));
  if (lost === undefined) return;
  throw new UnsupportedError(
    `'${name}': the bone '${asset.scene.bones[lost].name}' swings by itself and would move nothing any more; ` +
      'leave out --bones, or remove the springs first',
  );
}

function usedBones({ bones, weights }: SkinWeights): Set<number> {
  const used = new Set<number>();
  for (let k = 0; k < weights.length; k++) if (weights[k] > 0) used.add(bones[k]);
  return used;
}
