import { openNumerics } from '@pelt/math';
import { bakeVirtualBones, reduceTwoLayer, virtualCount } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 8, detail: 0.1 });
const { skin } = reduceTwoLayer({ rig, clips: [clip] }, { virtual: 30 }, { numerics });
numerics.close();

const baked = bakeVirtualBones({ rig, clips: [clip], skin });
if (baked.rig.bones.length !== virtualCount(skin)) throw new Error('one bone per virtual bone');
if (baked.rig.weights.slots !== 2) throw new Error('two weights per vertex');
