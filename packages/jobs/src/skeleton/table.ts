/** `pelt skeleton`: what it takes. */
import { BODY_PLANS, type BodyPlan } from '@pelt/skin/embed/options';
import {
  NAME_STYLES,
  SEED_PATCHES,
  SKELETON_DEFAULTS,
  SKELETON_METHODS,
  SKELETON_TAKEN_BY,
} from '@pelt/skin/skeleton/options';
import {
  boneCount,
  choice,
  flag,
  inputFile,
  type Kind,
  names,
  numberIn,
  outputFile,
  pointSchema,
  whole,
} from '../request/kinds.ts';
import { CLIPS_OPTIONS, COMPRESS, NAME, SEQUENCE_INPUT } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** Two sets of four is what engines read. */
const MOST_WEIGHTS = 8;

const place: Kind<number | [number, number, number]> = {
  value: 'place',
  is: 'a vertex, such as 17, or a point, such as 0,1.2,0',
  schema: (z) => z.union([z.int().check(z.gte(0)), pointSchema(z)]),
  read: (word) => (word.includes(',') ? word.split(',').map(numberIn) : numberIn(word)),
};

/** An option that some of the methods take. */
const takenBy = (option: keyof typeof SKELETON_TAKEN_BY) => ({
  only: { option: 'method', values: SKELETON_TAKEN_BY[option] },
});

/** An option that an existing skeleton leaves nothing to decide of. */
const FREE = { decidedBy: ['skeleton', 'like'] };
/** An option that asks for motion. */
const MOVING = { decidedBy: ['like'] };

/** A body plan, or a character by the path of its file. */
const likeness: Kind<string> = {
  value: 'plan',
  is: `${BODY_PLANS.join(', ')}, or the path of a rigged glTF`,
  schema: (z) => z.string().check(z.minLength(1)),
  reads: (like) => (isPlan(like) ? [] : [like]),
};

/** Words come before files of the same name. */
export function isPlan(like: string): like is BodyPlan {
  return (BODY_PLANS as readonly string[]).includes(like);
}

export const SKELETON = defineTable({
  inputs: [SEQUENCE_INPUT],
  output: { kind: outputFile('glb', 'bvh'), required: true, help: 'the GLB to write, or a BVH with the motion alone' },
  threads: true,
  options: {
    ...CLIPS_OPTIONS,
    method: {
      kind: choice(SKELETON_METHODS, {
        strict: 'Exact joints',
        'le-deng': 'Le, Deng',
        'schaefer-yuksel': 'Schaefer, Yuksel',
        'de-aguiar': 'de Aguiar',
        hasler: 'Hasler',
      }),
      default: SKELETON_DEFAULTS.method,
      help: 'how to find the skeleton; strict keeps joints together at the least error, the others are published methods',
      ...FREE,
    },
    bones: {
      kind: boneCount(),
      help: 'most bones',
      otherwise: 'as many as are worth it',
      slider: { from: 1, to: 64 },
      ...FREE,
    },
    clusters: {
      kind: whole(1),
      help: 'rigid clusters to begin with',
      otherwise: 'after the number of bones',
      ...takenBy('clusters'),
      ...FREE,
    },
    weights: {
      kind: whole(1, MOST_WEIGHTS),
      default: SKELETON_DEFAULTS.weights,
      help: 'most weights a vertex; engines read 4 or 8',
    },
    compress: COMPRESS,
    name: NAME,
    keepRest: {
      kind: flag,
      default: false,
      help: 'keep the rest pose as it is, at some cost in error',
      ...takenBy('restStiffness'),
      ...MOVING,
    },
    root: {
      kind: place,
      help: 'the bone at this vertex (17) or point (0,1.2,0) is the root',
      otherwise: 'the middle of the skeleton',
      ...FREE,
    },
    symmetry: {
      kind: flag,
      default: SKELETON_DEFAULTS.symmetry === true,
      help: 'mirror joints and name bones in pairs with --bones too; without, wherever the rest pose is symmetric',
      ...MOVING,
    },
    patches: {
      kind: choice(SEED_PATCHES),
      default: SKELETON_DEFAULTS.patches,
      help: 'patches of the seeds that end where the surface is curved, or geodesic cells',
      ...takenBy('patches'),
      ...FREE,
    },
    names: {
      kind: choice(NAME_STYLES),
      default: SKELETON_DEFAULTS.names,
      help: "convention of the names of a person's bones; animals have names of their kind",
    },
    skeleton: { kind: inputFile, help: 'fit the skeleton of this rigged glTF: its joints and names stay', ...MOVING },
    lock: {
      kind: names,
      help: 'joints of --skeleton that stay, such as Hips,Head; the others move to where the motion has them',
      otherwise: 'all of them',
      ...MOVING,
    },
    like: {
      kind: likeness,
      help: `for a mesh without motion: embed the skeleton of this body plan (${BODY_PLANS.join(', ')}) or rigged glTF`,
    },
    landmarks: {
      kind: inputFile,
      help: 'with --like: where joints are in the mesh, as {"LeftLowerArm": [0.3, 1.2, 0]}; the others follow',
    },
  },
  examples: `
    # A mesh and its cache as a jointed character
    pelt skeleton rest.obj clip.pc2 -o jointed.glb
    # At most three bones, two weights a vertex
    pelt skeleton frames --bones 3 --weights 2 -o small.glb
    # The motion alone, for an animation program
    pelt skeleton rest.obj clip.pc2 -o motion.bvh
    # Left and right bones in pairs, the tree hung from a point
    pelt skeleton rest.obj clip.pc2 --symmetry --root 0.6,0,0 -o paired.glb
    # Your own skeleton: its joints and names stay
    pelt skeleton frames --skeleton character.glb -o mine.glb --report mine.json
    # A mesh without motion: a skeleton of its kind, with weights
    pelt skeleton rest.obj --like snake -o rigged.glb
    # The skeleton of another character in it
    pelt skeleton rest.obj --like character.glb -o rigged.glb`,
});
