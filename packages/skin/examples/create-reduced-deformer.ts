import { openNumerics } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { createReducedDeformer, reduceEnvelope, trainEnvelope } from '@pelt/skin/envelope';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const frames = [0, 2, 4];
const { envelope } = trainEnvelope(scene, { frames }, { numerics });
const poses = frames.map((t) => poseAt(scene.clip, t, 2).transforms);
const reduced = reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics });
const deformer = createReducedDeformer(reduced, {}, { numerics });
const positions = new Float32Array(scene.rig.mesh.positions.length);
deformer.deform(poses[1], positions);
const truth = frameAt(scene.sequence, 2);
// Eight proxies come near every vertex of an example.
const largest = positions.reduce((most, value, k) => Math.max(most, Math.abs(value - truth[k])), 0);
if (largest > 1e-3) throw new Error(`an example is missed by ${largest}`);
deformer.dispose();
numerics.close();
