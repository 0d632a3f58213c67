/** `pelt study`: what it takes. */
import { DECOMPOSE_DEFAULTS } from '@pelt/skin/decompose/options';
import { boneCount, choice, inputFile, list, outputFile, whole } from '../request/kinds.ts';
import { CLIPS_OPTIONS, RIG_CLIP, SEQUENCE_INPUT } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** Methods that find bones without a hierarchy. */
export const LOOSE_METHODS = ['ssdr', 'affine', 'published-ssdr', 'sma', 'lssp'] as const;
/** Methods that find a skeleton. */
export const JOINTED_METHODS = ['strict', 'le-deng', 'schaefer-yuksel', 'de-aguiar', 'hasler'] as const;
/** Methods that learn a skin over a given skeleton. */
export const SKIN_METHODS = ['linear-maps', 'wang', 'psd', 'mohr-gleicher', 'ssd'] as const;

export type StudyMethod =
  | (typeof LOOSE_METHODS)[number]
  | (typeof JOINTED_METHODS)[number]
  | (typeof SKIN_METHODS)[number];

const ALL: readonly StudyMethod[] = [...LOOSE_METHODS, ...JOINTED_METHODS, ...SKIN_METHODS];

export const STUDY = defineTable({
  inputs: [{ ...SEQUENCE_INPUT, help: `${SEQUENCE_INPUT.help}; or the recording of a performer` }],
  output: { kind: outputFile('html'), required: true, help: 'the page to write; its tables go beside it as .csv' },
  threads: true,
  options: {
    ...CLIPS_OPTIONS,
    methods: {
      kind: list(choice(ALL)),
      help: 'which methods, with commas between; those of skins need --rig',
      otherwise: 'all that can be run',
    },
    bones: { kind: list(boneCount()), default: [10, 20], help: 'numbers of bones, with commas between' },
    weights: { kind: whole(1, 16), default: DECOMPOSE_DEFAULTS.weights, help: 'most weights a vertex' },
    copies: {
      kind: whole(0),
      default: 2,
      help: 'copies of the data with the vertices in another order, turned and shifted, to measure the spread on; 0 for none',
    },
    rig: {
      kind: inputFile,
      help: 'the rigged glTF whose skeleton moves the frames, for methods that learn a skin; of a recording, a character with saved pairs',
    },
    rigClip: { ...RIG_CLIP },
    examples: {
      kind: whole(3),
      default: 8,
      help: 'frames to learn skins from, evenly spaced; each is left out once; of a recording, key poses',
    },
    pictures: {
      kind: whole(0, 2000),
      default: 240,
      help: 'width of the pictures in pixels; 0 for none',
    },
  },
  examples: `
    # Every method that finds bones, with 2 and with 4 of them
    pelt study rest.obj clip.pc2 --bones 2,4 --copies 0 -o study.html
    # Two methods against each other, with their spread over copies of the data
    pelt study frames --methods ssdr,published-ssdr --bones 4 -o ssdr.html
    # Skins over a skeleton, by the error on examples left out
    pelt study rest.obj clip.pc2 --rig character.glb --methods psd,ssd --examples 4 -o skins.html
    # What the projections of a puppet make of a performer's recording
    pelt study me.bvh --examples 6 -o performer.html`,
});
