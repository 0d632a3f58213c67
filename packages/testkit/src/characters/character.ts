/** A character with what its puppet has learnt. */
import { type JointPose, poseFromJoints, type Registration, type Rig } from '@pelt/model';
import { PERFORMER_JOINTS, performerPose } from './performer.ts';

export interface Character {
  readonly rig: Rig;
  /** Made with `performerPose`: its joints are `PERFORMER_JOINTS`. */
  readonly registration: Registration;
  /** Bones that may swing. */
  readonly loose: readonly string[];
}

/** @param pairs  name, the performer's pose, the character's; the first is neutral */
export function characterOf(
  rig: Rig,
  pairs: readonly (readonly [name: string, performer: JointPose, character: JointPose])[],
  loose: readonly string[] = [],
): Character {
  return {
    rig,
    loose,
    registration: {
      name: rig.name,
      joints: PERFORMER_JOINTS,
      neutral: 0,
      pairs: pairs.map(([name, performer, character]) => ({
        name,
        performer: performerPose(performer),
        character: poseFromJoints(rig.bones, character),
      })),
    },
  };
}
