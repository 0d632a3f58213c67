import { keyCount, thinKeys } from '@pelt/skin/reduce';
import { creatureScene } from '@pelt/testkit';

const { rig, clip, sequence } = creatureScene({ frames: 24, detail: 0.1 });
const { keys, eRms } = thinKeys({ rig, clip, truth: sequence }, { maxError: 5 });

if (keyCount(keys) >= 24 * rig.bones.length) throw new Error('there are fewer keys');
if (eRms > 5) throw new Error('within the error');
