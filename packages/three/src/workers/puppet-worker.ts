/** Retargets a performer onto a character beside the page. */
import { createPuppet } from '@pelt/skin/puppet/runtime';
import type { AnswerPuppet, AskPuppet, OpenPuppet } from './protocol.ts';
import { serve } from './serve.ts';

serve<OpenPuppet, AskPuppet, AnswerPuppet>(async ({ rig, registration, performer, neutral, options }) => {
  const puppet = createPuppet({ character: rig, pairs: registration, performer, neutral }, options);
  return {
    answer: ({ joints, time, confidence }) => ({
      transforms: puppet.update(joints, time, confidence).transforms.slice(),
      weights: puppet.weights.slice(),
      parts: puppet.parts,
      resting: puppet.isResting,
    }),
    transfer: ({ transforms, weights }) => [transforms.buffer as ArrayBuffer, weights.buffer as ArrayBuffer],
  };
});
