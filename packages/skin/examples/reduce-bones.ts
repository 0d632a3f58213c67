import { openNumerics } from '@pelt/math';
import { reduceBones } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 8, detail: 0.1 });
const fewer = reduceBones({ rig, clips: [clip] }, { count: 6 }, { numerics });
numerics.close();

if (fewer.rig.bones.length !== 6) throw new Error('six bones are left');
