import { IDENTITY_TRANSFORM, type Registration, validateRegistration } from '@pelt/model';

// One pair: a performer of two joints who stands, and a character of one bone at rest.
const registration: Registration = {
  name: 'puppet',
  joints: ['hips', 'head'],
  neutral: 0,
  pairs: [
    {
      name: 'standing',
      performer: Float32Array.of(0, 1, 0, 0, 1.6, 0),
      character: { transforms: Float64Array.from(IDENTITY_TRANSFORM) },
    },
  ],
};
validateRegistration(registration, 1);

let message = '';
try {
  validateRegistration({ ...registration, neutral: 3 }, 1);
} catch (error) {
  message = String(error);
}
if (!message.includes('neutral pair is 3')) throw new Error('the error names the value that is wrong');
