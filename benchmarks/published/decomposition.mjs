/**
 * E_RMS that others have reached with at most four weights a vertex: 1000·√(E/3nS) with the rest pose in a unit ball.
 *
 * ssdr, sma, lssp, each without and with an EigenSkin correction of rank 5: Le, Deng. Mesh animation decomposition and
 * compression. 2014, Table 1. experiment: the best of an earlier experiment in C++, before any correction of the rest
 * pose.
 */
export const RIGID = [
  { data: 'cat-poses', bones: 5, ssdr: [26.3, 12.5] },
  { data: 'cat-poses', bones: 7, ssdr: [21.2, 10.3], lssp: [21.2, 9.3] },
  { data: 'cat-poses', bones: 9, ssdr: [13.7, 6.1] },
  { data: 'cat-poses', bones: 10, ssdr: [13, 5.7], lssp: [12.6, 5.6], experiment: 9.25 },
  { data: 'cat-poses', bones: 12, ssdr: [8.6, 3.8] },
  { data: 'cat-poses', bones: 15, ssdr: [6.5, 2.7], lssp: [10.7, 6.1], experiment: 5.74 },
  { data: 'cat-poses', bones: 20, ssdr: [4.7, 2], experiment: 3.85 },
  { data: 'cat-poses', bones: 25, ssdr: [3.4, 1.4], sma: [8.5, 3.1], lssp: [6.2, 3.3], experiment: 2.86 },
  { data: 'horse-gallop', bones: 10, ssdr: [8.3, 3.6], lssp: [28.1, 7.1], experiment: 7.18 },
  { data: 'horse-gallop', bones: 20, ssdr: [3.6, 1.8], lssp: [15.7, 5.3], experiment: 2.83 },
  { data: 'horse-gallop', bones: 33, ssdr: [2.2, 1.1], sma: [9.5, 1.5], lssp: [12.5, 4.6], experiment: 1.29 },
  { data: 'horse-poses', bones: 10, ssdr: [9, 3.9], lssp: [18.8, 7.7], experiment: 8.06 },
  { data: 'horse-poses', bones: 20, ssdr: [3.8, 1.8], lssp: [20.6, 7.8], experiment: 3.3 },
  { data: 'horse-poses', bones: 30, ssdr: [2.2, 0.9], lssp: [2.8, 1.4], experiment: 2.12 },
  { data: 'horse-poses', bones: 42, sma: [4.7, 1.4], lssp: [2.2, 1.2] },
  { data: 'lion-poses', bones: 10, ssdr: [11.3, 5], lssp: [22.1, 11], experiment: 8.55 },
  { data: 'lion-poses', bones: 21, ssdr: [4.4, 2.2], sma: [62.8, 5.7], lssp: [7.7, 3.9], experiment: 3.91 },
  { data: 'elephant-gallop', bones: 10, ssdr: [8.3, 3.5], experiment: 5.1 },
  { data: 'elephant-gallop', bones: 20, ssdr: [4.3, 2.3], experiment: 2.18 },
  { data: 'elephant-gallop', bones: 27, ssdr: [2.7, 1.3], sma: [5.6, 1.9], experiment: 1.48 },
  { data: 'pcow', bones: 10, ssdr: [14.4, 11.9], lssp: [16.5, 13.2], experiment: 10.98 },
  { data: 'pcow', bones: 24, ssdr: [5.7, 4.8], sma: [24.8, 13.2], lssp: [7.2, 6.7], experiment: 5.34 },
  { data: 'samba', bones: 20, experiment: 4.91 },
];

/** affine: results of Le and Deng with affine bones, replayed on the same meshes. */
export const AFFINE = [
  { data: 'horse-gallop', bones: 10, affine: 6.61 },
  { data: 'horse-gallop', bones: 20, affine: 3.27 },
  { data: 'horse-gallop', bones: 30, affine: 2.06 },
  { data: 'horse-poses', bones: 10, affine: 7.79 },
  { data: 'horse-poses', bones: 20, affine: 3.3 },
  { data: 'cat-poses', bones: 10, affine: 7.86 },
  { data: 'cat-poses', bones: 15, affine: 5.28 },
  { data: 'cat-poses', bones: 20, affine: 3.86 },
  { data: 'cat-poses', bones: 25, affine: 2.94 },
  { data: 'lion-poses', bones: 10, affine: 7.23 },
  { data: 'lion-poses', bones: 21, affine: 3.78 },
  { data: 'elephant-gallop', bones: 10, affine: 5.61 },
  { data: 'elephant-gallop', bones: 20, affine: 2.77 },
  { data: 'pcow', bones: 10, affine: 8.07 },
  { data: 'pcow', bones: 24, affine: 3.64 },
];
