import { readGltf, withKhrMeshopt, writeSkinnedGlb } from '@pelt/io';
import { chainScene } from '@pelt/testkit';

const { rig, clip } = chainScene({ joints: ['hinge'], frames: 4, ringsPerLink: 3, sides: 5 });
const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });

// A file that is not packed has nothing to rename, and stays as it is.
if (!(await readGltf(withKhrMeshopt(bytes))).skinned) throw new Error('it is read as before');
