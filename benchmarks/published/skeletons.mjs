/**
 * RMSE in % of the rest pose's diagonal that skeletons have reached, joints holding: Le, Deng. Mesh animation decomposition
 * and compression. 2014, Table 2. The data that are at hand.
 */
export const SKELETONS = [
  { data: 'cat-poses', bones: 28, 'le-deng': 0.25, 'schaefer-yuksel': 0.68, 'de-aguiar': 1.04, hasler: 0.63 },
  { data: 'horse-poses', bones: 27, 'le-deng': 0.21, 'schaefer-yuksel': 0.54, 'de-aguiar': 1.24, hasler: 0.75 },
  { data: 'lion-poses', bones: 30, 'le-deng': 0.27, 'schaefer-yuksel': 0.83, 'de-aguiar': 1.62, hasler: 1.14 },
  { data: 'horse-gallop', bones: 27, 'le-deng': 0.22, 'schaefer-yuksel': 0.44, 'de-aguiar': 1.1, hasler: 0.88 },
  { data: 'samba', bones: 22, 'le-deng': 0.56, 'schaefer-yuksel': 1.29, 'de-aguiar': 1.57, hasler: 1.79 },
  { data: 'pcow', bones: 11, 'le-deng': 1.52, 'schaefer-yuksel': 5.41, 'de-aguiar': 5.61, hasler: 5.58 },
];
