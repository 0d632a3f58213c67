/** The joints of a body plan in a mesh, to be corrected by hand. */
import { openNumerics } from '@pelt/math';
import type { Mesh, RunContext } from '@pelt/model';
import { embedSkeleton } from '@pelt/skin/embed';
import type { BodyPlan } from '@pelt/skin/embed/options';
import type { PlacedJoint } from '../store/placed-skeleton.ts';
import { type CaptureSkeleton, otherSide } from './capture-skeleton.ts';

export async function embeddedJoints(
  mesh: Pick<Mesh, 'positions' | 'triangles'>,
  like: BodyPlan,
  threads: number,
  context: RunContext = {},
): Promise<CaptureSkeleton> {
  const numerics = await openNumerics({ threads });
  try {
    const { positions, triangles } = mesh;
    const { rig } = embedSkeleton({ mesh: { name: '', positions, triangles }, like }, {}, { ...context, numerics });
    const numbers = new Map(rig.bones.map(({ name }, j) => [name, j]));
    const joints = rig.bones.map(({ name, parent, rest }): PlacedJoint => {
      const other = otherSide(name);
      return { name, parent, at: [rest[3], rest[7], rest[11]], twin: other === name ? -1 : (numbers.get(other) ?? -1) };
    });
    return { found: [], joints };
  } finally {
    numerics.close();
  }
}
