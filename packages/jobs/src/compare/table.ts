/** `pelt compare`: what it takes. */
import { inputFile } from '../request/kinds.ts';
import { RIG_CLIP, SEQUENCE_OPTIONS } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

export const COMPARE = defineTable({
  inputs: [{ name: 'animation', many: true, help: 'the true animation, then the other; a cache follows its mesh' }],
  options: {
    ...SEQUENCE_OPTIONS,
    skeleton: { kind: inputFile, help: 'the rig whose single bones the enveloping error is measured against' },
    rigClip: { ...RIG_CLIP, help: 'which animation of --skeleton, by name or number' },
  },
  examples: `
    # How well a fitted character plays its original
    pelt compare rest.obj clip.pc2 fitted.glb
    # A baked skin, beside what single bones of the skeleton it was learnt from would miss
    pelt compare frames character.glb --skeleton character.glb
    # Two folders of frames
    pelt compare frames baked --json`,
});
