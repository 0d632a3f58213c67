import { linearSequenceErrors } from '@pelt/skin/decompose';
import { creatureScene } from '@pelt/testkit';

const { eRms } = linearSequenceErrors(creatureScene({ frames: 6 }));
if (eRms > 1e-3) throw new Error('this rig plays its scene exactly');
