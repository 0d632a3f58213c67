import { openNumerics } from '@pelt/math';
import { reduceTwoLayer, virtualCount } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 8, detail: 0.1 });
const { skin, error } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 40 }, { numerics });
numerics.close();

if (virtualCount(skin) > 40 || skin.vertices.slots !== 2) throw new Error('two of 40 virtual bones per vertex');
if (error.eRms > 5) throw new Error('they play nearly what the rig played');
