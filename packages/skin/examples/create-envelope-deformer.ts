import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { createEnvelopeDeformer, trainEnvelope } from '@pelt/skin/envelope';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const { envelope } = trainEnvelope(scene, { frames: [0, 2, 4] }, { numerics });
const deformer = createEnvelopeDeformer(envelope, {}, { numerics });
const positions = new Float32Array(scene.rig.mesh.positions.length);
deformer.deform(poseAt(scene.clip, 2, 2).transforms, positions);
const truth = frameAt(scene.sequence, 2);
if (positions.some((value, k) => Math.abs(value - truth[k]) > 1e-5)) throw new Error('an example is not met');
deformer.dispose();
numerics.close();
