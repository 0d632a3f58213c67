import { splitRootMotion } from '@pelt/skin/decompose';
import { creatureScene } from '@pelt/testkit';

const { sequence, rig, clip } = creatureScene({ frames: 8 });
const moved = splitRootMotion({ sequence, rig, clip }, { motion: 'ground' });

if (moved.rig.bones.length !== rig.bones.length + 1) throw new Error('there is one more bone');
if (moved.rig.bones[0].name !== 'root') throw new Error('it is the root');
