/** `pelt compare`: what it takes. */
import { inputFile } from '../request/kinds.ts';
import { limits, RIG_CLIP, SEQUENCE_OPTIONS } from '../request/shared-options.ts';
import { defineTable } from '../request/table.ts';

export const COMPARE = defineTable({
  inputs: [{ name: 'animation', many: true, help: 'the true animation, then the other; a cache follows its mesh' }],
  options: {
    ...SEQUENCE_OPTIONS,
    skeleton: { kind: inputFile, help: 'the rig whose single bones the enveloping error is measured against' },
    rigClip: { ...RIG_CLIP, help: 'which animation of --skeleton, by name or number' },
    failOver: {
      kind: limits,
      help: 'exit with 6 where the other exceeds a limit: an E_RMS, a length, a size, or growth, as 2.1,3mm,400KB,5%',
    },
    baseline: { kind: inputFile, help: 'the report of an earlier comparison, which growth is over' },
  },
  examples: `
    # How well a fitted character plays its original
    pelt compare rest.obj clip.pc2 fitted.glb
    # A baked skin, beside what single bones of the skeleton it was learnt from would miss
    pelt compare frames character.glb --skeleton character.glb
    # Two folders of frames
    pelt compare frames baked --json
    # Fail in a script where a character is off by more than a length, or too large
    pelt compare rest.obj clip.pc2 fitted.glb --fail-over 20mm,500KB`,
});
