/** `pelt fit`: what it takes. */
import { CHUNK_DEFAULTS, DECOMPOSE_DEFAULTS, DECOMPOSE_TAKEN_BY } from '@pelt/skin/decompose/options';
import {
  boneCount,
  choice,
  inputFile,
  inputFiles,
  type Kind,
  nonNegative,
  outputFile,
  positive,
  whole,
  wordOr,
} from '../request/kinds.ts';
import { CLIPS_OPTIONS, COMPRESS, errorLimit, NAME, RIG_CLIP, SEQUENCE_INPUT } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** Four sets of four is what a file holds. */
const MOST_WEIGHTS = 16;

/** A stage of a fit in chunks: `bones`, a part of the weights such as `3/8`, `join`. */
const stage: Kind<string> = {
  value: 'stage',
  is: "'bones', 'join', or a part such as 3/8",
  schema: (z) => z.string().check(z.regex(/^(bones|join|[1-9]\d{0,5}\/[1-9]\d{0,5})$/)),
};

/** An option that some of the methods take. */
const takenBy = (option: keyof typeof DECOMPOSE_TAKEN_BY) => ({
  only: { option: 'method', values: DECOMPOSE_TAKEN_BY[option] },
});

export const FIT = defineTable({
  inputs: [SEQUENCE_INPUT],
  output: { kind: outputFile('glb', 'part'), required: true, help: 'the skinned GLB to write; a .part of a --stage' },
  threads: true,
  options: {
    ...CLIPS_OPTIONS,
    sample: {
      ...CLIPS_OPTIONS.sample,
      help: 'fit to an even sample of this many frames; the bones then follow all frames, in parts',
    },
    method: {
      kind: choice(['ssdr', 'affine', 'sma', 'lssp'], { ssdr: 'SSDR', affine: 'Affine', sma: 'SMA', lssp: 'LSSP' }),
      default: DECOMPOSE_DEFAULTS.method,
      help: 'how to fit; ssdr finds rigid bones, affine ones may stretch and shear, the others are for comparison',
    },
    bones: {
      kind: wordOr('auto', boneCount()),
      help: 'number of bones, or auto; the most to try with --max-error',
      slider: { from: 1, to: 64 },
      otherwise: `${DECOMPOSE_DEFAULTS.bones}`,
    },
    maxError: {
      kind: errorLimit,
      help: 'use as few bones as reach this E_RMS, or this length with a unit: 2mm',
      ...takenBy('maxError'),
    },
    budget: {
      kind: positive,
      help: 'the least error within so many kilobytes: number of bones, displacements, keys and bits; packs the file',
      ...takenBy('maxError'),
    },
    time: {
      kind: positive,
      help: 'seconds after which the search for a budget tries no other fit',
      otherwise: 'until more bones make it worse',
    },
    weights: {
      kind: whole(1, MOST_WEIGHTS),
      default: DECOMPOSE_DEFAULTS.weights,
      help: 'most weights a vertex; engines read 4 or 8',
    },
    start: {
      kind: choice(['clusters', 'regions']),
      default: DECOMPOSE_DEFAULTS.start,
      help: 'how bones begin: vertices that move alike, or, for comparison, connected regions as in FSD',
      ...takenBy('start'),
    },
    bandwidth: {
      kind: wordOr('auto', positive),
      default: DECOMPOSE_DEFAULTS.bandwidth,
      help: 'angle in degrees between triangles of one part; --bones is then the most parts',
      ...takenBy('bandwidth'),
    },
    smaBones: {
      kind: choice(['rigid', 'affine']),
      default: DECOMPOSE_DEFAULTS.smaBones,
      help: 'whether bones may stretch and shear',
      ...takenBy('smaBones'),
    },
    smooth: {
      kind: nonNegative,
      default: DECOMPOSE_DEFAULTS.smooth,
      help: 'trade error for smooth weights; 0.1 is a little, 3 is much',
      slider: { from: 0, to: 3, step: 0.1 },
      ...takenBy('smooth'),
    },
    islandPrice: {
      kind: nonNegative,
      default: DECOMPOSE_DEFAULTS.islandPrice,
      help: 'trade error for weights without islands, patches apart from the rest of their bone; 0 allows them, 1 leaves few',
      ...takenBy('islandPrice'),
    },
    compress: COMPRESS,
    name: NAME,
    restPose: {
      kind: choice(['keep', 'near', 'free'], { keep: 'Keep', near: 'Near', free: 'Free' }),
      default: DECOMPOSE_DEFAULTS.restPose,
      help: 'keep the rest pose, move it by at most the RMS error of the frames, or as it lowers the error',
      ...takenBy('restPose'),
    },
    lock: { kind: choice(['bones', 'weights']), help: 'keep a part of --rig', ...takenBy('locked') },
    paint: {
      kind: inputFile,
      help: 'begin with the bones of --rig and respect a mask of its weights: {"keep": {"bone-03": [12, "40-99"]}, "forbid": …}',
      ...takenBy('painted'),
    },
    rig: { kind: inputFile, help: 'the rigged glTF that --lock keeps a part of, or that --paint is a mask of' },
    rigClip: RIG_CLIP,
    eigenskin: { kind: whole(1), help: 'add so many displacements that follow the animation, as morph targets' },
    chunk: {
      kind: wordOr('auto', whole(1)),
      help: 'solve the weights in chunks of this many vertices, after finding the bones on a sample of them',
      otherwise: 'where the whole does not fit into memory',
    },
    sampleVertices: {
      kind: whole(1),
      help: 'vertices of the sample that the bones of a fit in chunks are found on',
      otherwise: `${CHUNK_DEFAULTS.sampleVertices}`,
    },
    stage: { kind: stage, help: 'one stage of a fit in chunks, for a farm: bones, 1/8 to 8/8, join' },
    from: { kind: inputFiles, help: 'what the stages before wrote: the .part of the bones first' },
    root: { kind: choice(['full', 'ground']), help: 'root motion as a bone of its own' },
  },
  examples: `
    # A mesh and its cache as a skinned GLB
    pelt fit rest.obj clip.pc2 --bones 12 -o fitted.glb
    # As few bones as an error allows
    pelt fit frames --max-error 6 -o small.glb
    # The least error that 15 KB allow, with no more than 6 bones
    pelt fit rest.obj clip.pc2 --bones 6 --budget 15 -o budget.glb
    # Poses against a rest pose, with a report
    pelt fit --rest rest.obj frames --report fit.json -o posed.glb
    # Let the motion say how many bones
    pelt fit rest.obj clip.pc2 --bones auto -o auto.glb
    # Two clips of one mesh, one rig
    pelt fit rest.obj --clip swing=clip.pc2 --clip back=clip.mdd -o clips.glb
    # In few bytes, for viewers with the Meshopt decoder
    pelt fit rest.obj clip.pc2 --bones 12 --compress meshopt -o packed.glb
    # A mesh that is larger than memory
    pelt fit rest.obj clip.pc2 --chunk auto -o huge.glb
    # Weights that were painted stay, the others adapt
    pelt fit rest.obj clip.pc2 --rig fitted.glb --paint mask.json -o again.glb
    # Bones that may stretch and shear
    pelt fit rest.obj clip.pc2 --method affine -o affine.glb`,
});
