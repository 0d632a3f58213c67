/**
 * A skeleton with one bone and what hangs from it attached to another parent. The spanning tree is chosen before joints
 * hold, and two bones that blend may be joined through a third in it.
 */
import { type SkinningSystem, skeletonTree } from '@pelt/kernels';
import type { Candidate } from './added-bone.ts';

/** A bone, and the parent that it could have. */
export interface Attachment {
  readonly bone: number;
  readonly parent: number;
}

/** Attachments that the tree does not have, of bones that blend most relative to the smaller of them first. */
export function otherAttachments({ system, tree: { parents } }: Candidate): Attachment[] {
  const { m } = system;
  const below = (k: number, top: number): boolean => k === top || (parents[k] >= 0 && below(parents[k], top));
  const found: (Attachment & { readonly share: number })[] = [];
  for (let bone = 0; bone < m; bone++) {
    if (parents[bone] < 0) continue;
    for (let parent = 0; parent < m; parent++) {
      if (parent === parents[bone] || below(parent, bone)) continue;
      const share = system.mass(bone, parent) / Math.min(system.mass(bone, bone), system.mass(parent, parent));
      if (share > 0) found.push({ bone, parent, share });
    }
  }
  return found.sort((a, b) => b.share - a.share);
}

/** The caller disposes both systems. */
export function withAttachment({ system, tree, joints }: Candidate, { bone, parent }: Attachment): Candidate {
  const parents = tree.parents.slice();
  parents[bone] = parent;
  const moved = joints.slice();
  const centre = system.centre(bone, parent);
  if (centre) moved.set(centre, 3 * bone);
  return { system: copyOf(system), tree: skeletonTree(parents), joints: moved };
}

function copyOf(system: SkinningSystem): SkinningSystem {
  const bones = Array.from({ length: system.m }, (_, j) => j);
  return system.withBones(bones, 0, system.K);
}
