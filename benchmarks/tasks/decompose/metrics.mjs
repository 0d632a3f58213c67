/** Names of the metrics that both the task and the pages with its results spell. */

export const EIGENSKIN_RANK = 5;

/** @param {'keep' | 'near'} restPose */
export const errorWith = (restPose) => `E_RMS, rest pose ${restPose}`;

/** Of SMA and LSSP. @param {string} method */
export const errorOf = (method) => `E_RMS of ${method.toUpperCase()}`;

/** @param {string} metric  the same without a correction */
export const corrected = (metric) => metric.replace(/^E_RMS(?: of \w+)?/, `$& with EigenSkin ${EIGENSKIN_RANK}`);

export const OUTSIDE_REGIONS = 'pairs outside the main regions';
export const REGIONS_PER_BONE = 'regions per bone';

/** Animations whose islands of weights are counted. */
export const ISLAND_CASES = [
  { data: 'horse-gallop', bones: 20 },
  { data: 'cat-poses', bones: 25 },
  { data: 'lion-poses', bones: 21 },
];
