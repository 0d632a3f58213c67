import { openNumerics } from '@pelt/math';
import { embedSkeleton } from '@pelt/skin/embed';
import { dogCharacter } from '@pelt/testkit';

const numerics = await openNumerics();
const { mesh } = dogCharacter().rig;
const { rig, missing } = embedSkeleton({ mesh, like: 'quadruped' }, {}, { numerics });
numerics.close();

if (!rig.bones.some(({ name }) => name === 'FrontLeftFoot')) throw new Error('a dog has four feet');
if (missing.includes('Tail1')) throw new Error('and a tail');
