import { openNumerics } from '@pelt/math';
import { extractSkeleton } from '@pelt/skin/skeleton';
import { chainScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { sequence } = chainScene({ joints: ['hinge', 'ball'], frames: 20 });
const { rig, error } = extractSkeleton(sequence, {}, { numerics });
numerics.close();

if (rig.bones.length !== 3) throw new Error('a chain with two joints has three bones');
if (rig.bones.filter(({ parent }) => parent < 0).length !== 1) throw new Error('they are one tree');
if (error.rmsePercent > 0.01) throw new Error('which plays the chain');
