/**
 * Retargets a performer onto a character without a skeleton beside the page. A worker of its own, because the pose space
 * needs kernels, which other puppets should not load; a worker that loads them on demand is more than some bundlers take.
 */
import { openNumerics } from '@pelt/math';
import { InputError } from '@pelt/model';
import { createPoseSpace } from '@pelt/skin/pose/runtime';
import { createPuppet } from '@pelt/skin/puppet/runtime';
import type { AnswerPuppet, AskPuppet, OpenPuppet } from './protocol.ts';
import { serve } from './serve.ts';

serve<OpenPuppet, AskPuppet, AnswerPuppet>(async ({ rig, poser, registration, performer, options }) => {
  if (!poser) throw new InputError('PuppetDriver: shapes without a poser');
  const space = createPoseSpace(poser, { numerics: await openNumerics({ threads: 1 }) });
  const puppet = createPuppet({ character: rig, pairs: registration, performer, space }, options);
  return {
    answer: ({ joints, time, confidence, handles }) => {
      if (handles) space.setHandles(handles);
      const { transforms } = puppet.update(joints, time, confidence);
      return {
        transforms: transforms.slice(),
        weights: puppet.weights.slice(),
        parts: puppet.parts,
        resting: puppet.isResting,
        calibrated: true,
        blend: space.blend.slice(),
      };
    },
    transfer: ({ transforms, weights }) => [transforms.buffer as ArrayBuffer, weights.buffer as ArrayBuffer],
  };
});
