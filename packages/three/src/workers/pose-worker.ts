/** Solves poses beside the page. */
import { openNumerics } from '@pelt/math';
import { createPoseSession, MOVING_EASE } from '@pelt/skin/pose/runtime';
import type { AnswerPose, AskPose, OpenPose } from './protocol.ts';
import { serve } from './serve.ts';

serve<OpenPose, AskPose, AnswerPose>(async ({ poser, options }) => {
  const numerics = await openNumerics({ threads: 1 });
  const session = createPoseSession(
    poser,
    { ease: MOVING_EASE, ...options, clock: () => performance.now() },
    { numerics },
  );
  return {
    answer({ handles, blend, regions, budget }) {
      // What holds a pose holds the one that was gone back to.
      if (blend) session.setBlend(blend);
      // What is pinned is pinned as it stands.
      if (regions) session.setRegions(regions);
      session.setHandles(handles);
      const { atRest } = session.step(performance.now() + budget);
      return {
        transforms: session.pose().transforms.slice(),
        blend: session.blend.slice(),
        parameters: session.parameters.slice(),
        atRest,
      };
    },
    transfer: ({ transforms, blend, parameters }) => [
      transforms.buffer as ArrayBuffer,
      blend.buffer as ArrayBuffer,
      parameters.buffer as ArrayBuffer,
    ],
  };
});
