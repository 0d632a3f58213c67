/** Linear blending, over the skeleton or over one with added joints, in the form of a reduced skin. */
import { addedJointCount, type Bone, type Envelope, type ReducedEnvelope, type SkinWeights } from '@pelt/model';

/** Linear blending as a reduced skin: no proxies, and for the displacements one key that rotates with each bone. */
export function plainSkin({ rig, centres, addedBlend }: Envelope): ReducedEnvelope {
  const m = rig.bones.length;
  return {
    rig,
    centres,
    proxies: 0,
    keys: {
      form: 'exponential-of-sum',
      slots: 1,
      references: Uint16Array.from({ length: m }, (_, j) => j),
      blocks: new Int32Array(m).fill(-1),
      rotationMaps: new Float64Array(9 * m),
      stretchMaps: new Float64Array(36 * m),
    },
    fromKeys: new Float64Array(0),
    fromBones: new Float64Array(0),
    ...(addedBlend
      ? { addedJoints: addedJointCount(rig.bones), skin: addedFirst(addedBlend, rig.bones) }
      : { skin: rig.weights }),
  };
}

/** Weights over the bones and then the added joints, as those over the added joints and then the bones. */
function addedFirst({ slots, bones, weights }: SkinWeights, skeleton: readonly Bone[]): SkinWeights {
  const [m, added] = [skeleton.length, addedJointCount(skeleton)];
  return { slots, bones: bones.map((bone) => (bone < m ? added + bone : bone - m)), weights };
}
