import { type Capsules, InputError, validateCapsules } from '@pelt/model';

// A forearm: from the origin along x, 5 cm thick.
const capsules: Capsules = { bones: Uint16Array.of(0), shapes: Float64Array.of(0, 0, 0, 0.25, 0, 0, 0.05) };
validateCapsules(capsules, 1);

// Without a skeleton there is no bone for it.
try {
  validateCapsules(capsules, 0);
  throw new Error('a capsule without a bone was taken');
} catch (error) {
  if (!(error instanceof InputError)) throw error;
}
