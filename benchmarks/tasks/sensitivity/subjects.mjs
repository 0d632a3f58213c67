/**
 * On what each plan is varied. Every number of a plan is varied on the subjects that read it; one that no subject lists is
 * an error here, not a number without effect.
 */
import {
  decompose,
  extractSkeleton,
  FIT_PLAN,
  REDUCE_PLAN,
  reduceBones,
  reduceWeights,
  roundWeights,
  SKELETON_PLAN,
} from '@pelt/skin';
import { dataNeeded, loadAnimation } from '../decompose/load-animation.mjs';

/** Numbers of a fit that only some requests read; the others belong to every fit. */
const DENSE = ['denseVertices', 'sparseWeights', 'clustered', 'denseBones'];
const BY_ERROR = ['share', 'fits'];
const AUTO = ['kneeBones', 'kneeVertices', 'plateauBones', 'plateauError', 'nearlyExact'];
const EVERY = Object.keys(FIT_PLAN).filter((name) => ![...DENSE, ...BY_ERROR, ...AUTO].includes(name));

/** Numbers of a skeleton that only a request without, or only one with a number of bones reads. */
const SUBSPACE = [
  'patchedVertices',
  'patches',
  'patchVertices',
  'startVertices',
  'patchTurns',
  'worstPatches',
  'laterStarts',
  'mostStrain',
  'sameRotation',
  'subspaceRounds',
  'leastShare',
  'nearlyExact',
  'exactRounds',
];
const FREE = ['clusters', 'mostKept', 'autoFrames', 'patience', 'patienceBones', 'shareOfAll'];
const COUNTED = [
  'vertices',
  'frames',
  'surplus',
  'clustersPerBone',
  'manyClusters',
  'trials',
  'trialRounds',
  'settlingRounds',
  'fullRounds',
  'firstRounds',
  'joinedRounds',
  'freerRounds',
  'swings',
  'swingGain',
  'unpaired',
  'untidy',
  'patch',
  'leastPatch',
  'rings',
  'worthOfGiven',
  'shareOfSurplus',
];
const ALL_SKELETONS = Object.keys(SKELETON_PLAN).filter((name) => ![...SUBSPACE, ...FREE, ...COUNTED].includes(name));

export const SUBJECTS = [
  fitOf('horse-gallop', { bones: 20 }, EVERY),
  fitOf('samba', { bones: 20 }, EVERY),
  fitOf('cat-poses', { bones: 20 }, EVERY),
  fitOf('rigged/cheburashka', { bones: 11, weights: 11 }, DENSE),
  fitOf('horse-poses', { bones: 8, weights: 8 }, DENSE),
  fitOf('rigged/cheburashka', { bones: 'auto' }, AUTO),
  fitOf('horse-poses', { bones: 'auto' }, AUTO),
  fitOf('horse-poses', { maxError: 2 }, BY_ERROR),
  fitOf('horse-gallop', { maxError: 3 }, BY_ERROR),
  skeletonOf('horse-poses', { bones: 27 }, [...ALL_SKELETONS, ...COUNTED]),
  skeletonOf('samba', { bones: 22 }, [...ALL_SKELETONS, ...COUNTED]),
  skeletonOf('rigged/wolf', {}, [...ALL_SKELETONS, ...FREE, ...SUBSPACE]),
  skeletonOf('horse-gallop', {}, [...ALL_SKELETONS, ...FREE, ...SUBSPACE]),
  ...reductions('horse-gallop'),
];

export function dataOfSubjects() {
  return [...new Set(SUBJECTS.flatMap(({ data }) => dataNeeded(data)))];
}

function fitOf(data, options, numbers) {
  const asked = Object.entries(options).map(([option, value]) => `${option} ${value}`);
  return {
    name: `fit, ${data}, ${asked.join(', ')}`,
    data,
    plan: FIT_PLAN,
    numbers,
    load: (context) => loadAnimation(context, data),
    prepare: (sequence) => sequence,
    run: (sequence, search, numerics) => decompose(sequence, { ...options, search }, { numerics }),
  };
}

function skeletonOf(data, options, numbers) {
  return {
    name: `skeleton, ${data}, ${options.bones ? `bones ${options.bones}` : 'any number'}`,
    data,
    plan: SKELETON_PLAN,
    numbers,
    load: (context) => loadAnimation(context, data),
    prepare: (sequence) => sequence,
    run: (sequence, search, numerics) => extractSkeleton(sequence, { ...options, search }, { numerics }),
  };
}

const made = new WeakMap();

/** What the same sequence gave before. */
function remembered(sequence, make) {
  if (!made.has(sequence)) made.set(sequence, make());
  return made.get(sequence);
}

/** Fewer bones, then fewer weights, of a rig that uses all bones everywhere. */
function reductions(data) {
  const weights = ['swaps', 'sweeps', 'rounds', 'progress'];
  const bones = ['share', 'rounds', 'swaps', 'sweeps'];
  const prepare = (sequence, numerics) =>
    remembered(sequence, () => {
      const { rig, clip } = decompose(sequence, { bones: 20, weights: 8, rounds: 30 }, { numerics });
      return { rig, clips: [clip], examples: [sequence] };
    });
  const common = { data, plan: REDUCE_PLAN, load: (context) => loadAnimation(context, data), prepare };
  return [
    {
      ...common,
      name: `reduce, ${data}, 12 bones`,
      numbers: bones,
      run: (input, search, numerics) => reduceBones(input, { count: 12, search }, { numerics }),
    },
    {
      ...common,
      name: `reduce, ${data}, weights in fifteen steps`,
      numbers: ['roundingTurns', 'sweeps'],
      run: (input, search, numerics) => roundWeights(input, { levels: 15, search }, { numerics }),
    },
    ...['refit', 'keep'].map((moving) => ({
      ...common,
      name: `reduce, ${data}, 3 weights, bones ${moving}`,
      numbers: weights,
      run: (input, search, numerics) => reduceWeights(input, { weights: 3, bones: moving, search }, { numerics }),
    })),
  ];
}
