/** Retargets a performer onto a character beside the page. */
import { createPuppet, LiveCalibration, type PerformerCalibration } from '@pelt/skin/puppet/runtime';
import type { AnswerPuppet, AskPuppet, OpenPuppet } from './protocol.ts';
import { serve } from './serve.ts';

serve<OpenPuppet, AskPuppet, AnswerPuppet>(
  async ({ rig, registration, performer, neutral, camera, capsules, options }) => {
    const data = { character: rig, pairs: registration, performer, neutral, camera, capsules };
    const create = (calibration?: PerformerCalibration) =>
      createPuppet({ ...data, calibration, ...(camera && !calibration && { facing: 0 }) }, options);
    let puppet = create();
    let standing = camera && new LiveCalibration(performer);
    return {
      answer: ({ joints, time, confidence }) => {
        const found = standing?.add(joints, confidence, time);
        if (found) {
          puppet = create(found);
          standing = undefined;
        }
        return {
          transforms: puppet.update(joints, time, confidence).transforms.slice(),
          weights: puppet.weights.slice(),
          parts: puppet.parts,
          resting: puppet.isResting,
          calibrated: standing === undefined,
        };
      },
      transfer: ({ transforms, weights }) => [transforms.buffer as ArrayBuffer, weights.buffer as ArrayBuffer],
    };
  },
);
