import { UsageError } from '@pelt/model';

/** Numbers that a bone and a vertex have in every frame: a rotation and a place, a place. */
const [BONE_NUMBERS, VERTEX_NUMBERS] = [7, 3];

/** So many are never refused: a fit of a few vertices says itself how many it needs. */
const FEW_BONES = 64;

/**
 * Throws where so many bones are asked for that the vertices themselves would be fewer numbers.
 *
 * @param countVertices  of the mesh, those on seams once
 */
export function requireFewBones(bones: number | 'auto' | undefined, countVertices: () => number): void {
  if (typeof bones !== 'number' || bones <= FEW_BONES) return;
  const vertices = countVertices();
  const most = Math.max(Math.floor((VERTEX_NUMBERS * vertices) / BONE_NUMBERS), FEW_BONES);
  if (bones <= most) return;
  throw new UsageError(
    `--bones ${bones} is too many: the motion of ${vertices} vertices takes fewer numbers; use ${most} at most`,
  );
}
