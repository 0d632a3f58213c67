/** `pelt sliders`: what it takes. */
import { SLIDER_DEFAULTS } from '@pelt/skin/sliders/options';
import { between, boneCount, choice, flag, inputFile, outputFile, whole } from '../request/kinds.ts';
import { COMPRESS, errorLimit, FILE_OPTIONS, NAME, sizeLimit } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

/** Two sets of four is what engines read. */
const MOST_WEIGHTS = 8;

export const SLIDERS = defineTable({
  inputs: [
    {
      name: 'input',
      many: true,
      help: 'a glTF, VRM or FBX with morph targets, a mesh and a cache of shapes, or shapes',
    },
  ],
  output: { kind: outputFile('glb'), required: true, help: 'the GLB to write' },
  threads: true,
  options: {
    rest: { ...FILE_OPTIONS.rest, help: 'the neutral face, where the inputs are the shapes' },
    names: { kind: inputFile, help: 'JSON list of names for shapes that have none', otherwise: 'names of the files' },
    recording: { kind: inputFile, help: 'CSV of slider values over time, as phones record faces; becomes a clip' },
    transfer: { kind: inputFile, help: 'transfer the sliders of another face, a GLB of this command, to the input' },
    unit: { kind: choice(['m', 'cm', 'mm']), help: 'unit of length of the input', otherwise: 'm for a glTF' },
    bones: { kind: boneCount(2), default: SLIDER_DEFAULTS.bones, help: 'number of bones; the most with a limit' },
    maxError: { kind: errorLimit, help: 'use as few bones as reach this RMS distance: 0.1mm' },
    budget: { kind: sizeLimit, help: 'least error within this size of the file: 300KB' },
    weights: {
      kind: whole(1, MOST_WEIGHTS),
      default: SLIDER_DEFAULTS.weights,
      help: 'maximum weights per vertex; engines read 4 or 8',
    },
    zeros: {
      kind: between(0, 0.99),
      default: SLIDER_DEFAULTS.zeros,
      help: 'share of the numbers between sliders and bones that are left out',
    },
    corrections: {
      kind: flag,
      default: true,
      help: 'store what bones leave at the worst vertices as sparse morph targets',
      without: 'leave the worst vertices to the bones',
    },
    poses: {
      kind: flag,
      default: false,
      help: 'add a clip of one pose per slider, for engines with additive layers',
    },
    compress: { ...COMPRESS, default: 'meshopt' as const },
    name: NAME,
  },
  examples: `
    # Morph targets of a face as bones that follow the same sliders
    pelt sliders face.glb -o sliders.glb
    # A folder of shapes and a neutral face
    pelt sliders --rest neutral.obj shapes --unit cm -o sliders.glb
    # As few bones as an error allows
    pelt sliders face.glb --max-error 0.2mm -o sliders.glb
    # The best face within a size
    pelt sliders face.glb --budget 250KB -o sliders.glb
    # Another mesh of a similar face moves by the same sliders
    pelt sliders neutral.obj --transfer fitted.glb -o other.glb
    # For engines: a plain skinned file with an additive pose per slider
    pelt sliders face.glb --poses --compress none -o poses.glb`,
});
