import { glbToVrma, REQUIRED_BONES, readGltfMotion, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';

const { rig, clip } = chainScene({ joints: REQUIRED_BONES.slice(1).map(() => 'hinge'), ringsPerLink: 3, sides: 5 });
const { bytes: glb } = await writeSkinnedGlb({ rig, clips: [clip] });

// The bones of a chain stand for those of a body; a character names its own.
const humanoid = Object.fromEntries(REQUIRED_BONES.map((bone, j) => [bone, j + 1]));
const vrma = await glbToVrma(glb, { humanoid });
const motion = await readGltfMotion(vrma);
if (!motion.joints.includes('hips')) throw new Error('the file says which joint is which');
