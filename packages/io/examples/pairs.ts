import { readPairs, writePairs } from '@pelt/io';
import type { PairsDocument } from '@pelt/model';

// Poses of a performer beside those that a character shall take: what a puppet is learnt from.
const document: PairsDocument = {
  name: 'sack',
  neutral: 'standing',
  motions: { take: 'take-1.bvh' },
  pairs: [
    { name: 'standing', performer: { motion: 'take', time: 0 }, character: { bones: {} } },
    {
      name: 'leaning',
      performer: { motion: 'take', time: 1.2 },
      character: { bones: { spine: { degrees: [0, 0, 30] } } },
    },
  ],
};
const bytes = writePairs(document); // JSON that people can edit
if (JSON.stringify(readPairs(bytes)) !== JSON.stringify(document)) throw new Error('the same pairs');
