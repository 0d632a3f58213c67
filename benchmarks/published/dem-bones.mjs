/**
 * E_RMS that Dem Bones 1.2.1 (Electronic Arts, C++) reaches with rigid bones and four weights a vertex, measured on the same
 * meshes by the same metric: `defaults` with its own settings, `tuned` with the best that were found for each row by hand
 * (more rounds, other starts). 141.5 is a start that collapses to one bone.
 */
export const DEM_BONES = [
  { data: 'lion-poses', bones: 10, defaults: 16.04, tuned: 9.88 },
  { data: 'lion-poses', bones: 21, defaults: 7.75, tuned: 4.71 },
  { data: 'cat-poses', bones: 10, defaults: 13.88, tuned: 9.64 },
  { data: 'cat-poses', bones: 15, defaults: 12.58, tuned: 6.48 },
  { data: 'cat-poses', bones: 20, defaults: 9.39, tuned: 4.39 },
  { data: 'cat-poses', bones: 25, defaults: 6.66, tuned: 3.51 },
  { data: 'horse-poses', bones: 10, defaults: 141.5, tuned: 8.93 },
  { data: 'horse-poses', bones: 20, defaults: 141.5, tuned: 4.09 },
  { data: 'horse-poses', bones: 30, defaults: 141.5, tuned: 2.36 },
  { data: 'horse-gallop', bones: 10, defaults: 13.54, tuned: 9.69 },
  { data: 'horse-gallop', bones: 20, defaults: 5.59, tuned: 3.79 },
  { data: 'horse-gallop', bones: 33, defaults: 4.33, tuned: 1.95 },
  { data: 'elephant-gallop', bones: 10, defaults: 8.24 },
  { data: 'elephant-gallop', bones: 20, defaults: 4.31 },
  { data: 'elephant-gallop', bones: 27, defaults: 2.9 },
  { data: 'pcow', bones: 10, defaults: 16.98, tuned: 11.42 },
  { data: 'pcow', bones: 24, defaults: 8.08, tuned: 5.38 },
  { data: 'samba', bones: 20, defaults: 7.14, tuned: 5.3 },
];
