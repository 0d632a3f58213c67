import type { SkeletonMotion } from '@pelt/model';
import { placeSkeleton } from '@pelt/skin/volume';

const names = ['hips', 'chest', 'head'];
const motion: SkeletonMotion = {
  name: 'still',
  joints: names.map((name, j) => ({ name, parent: j - 1, offset: [0, j, 0] })),
  times: Float64Array.of(0),
  rotations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  translations: new Float64Array(9),
};
const landmarks = new Map(names.map((name, j) => [name, [5, j * (j + 1), 0] as const]));
const { bones } = placeSkeleton({ motion, landmarks });
if (Math.abs(bones[2].rest[7] - 6) > 1e-9) throw new Error('the head is not at its landmark');
