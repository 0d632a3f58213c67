import { validateDynamics, validatePoser, validateReducedEnvelope, validateRig } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { smallestDynamics, smallestEnvelope, smallestPoser, triangleRig } from '../../src/index.ts';

describe('the smallest models', () => {
  it('are valid', () => {
    const rig = triangleRig();
    validateRig(rig);
    validateReducedEnvelope(smallestEnvelope(rig));
    validatePoser(smallestPoser(rig));
    validateDynamics(smallestDynamics(), rig.bones.length, 1);
  });

  it('take other numbers', () => {
    expect(smallestDynamics({ limits: Float64Array.of(2) }).limits[0]).toBe(2);
  });
});
