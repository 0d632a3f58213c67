/** `pelt info`: what it takes. */
import { defineTable } from '../request/table.ts';

export const INFO = defineTable({
  inputs: [{ name: 'file', many: true, help: 'files, or folders of frames' }],
  options: {},
  examples: `
    # What is in a file
    pelt info character.glb
    # Several at once, for a program to read
    pelt info rest.obj clip.pc2 --json
    # A folder of frames
    pelt info frames
    # A captured motion
    pelt info walk.bvh`,
});
