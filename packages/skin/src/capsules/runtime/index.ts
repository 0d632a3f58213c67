export { capsuleDistance, poseCapsules, pushOut } from './capsule.ts';
