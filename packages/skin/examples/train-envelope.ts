import { openNumerics } from '@pelt/math';
import { trainEnvelope } from '@pelt/skin/envelope';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const { envelope, fellBack } = trainEnvelope(scene, { frames: [0, 2, 4] }, { numerics });
if (fellBack || !envelope.predictors) throw new Error('the gradients of an elbow follow its joint');
numerics.close();
