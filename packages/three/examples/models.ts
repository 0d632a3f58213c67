import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { buildPoser, reduceEnvelope, trainEnvelope } from '@pelt/skin';
import { elbowScene } from '@pelt/testkit';
import { envelopeModel, poserModel } from '@pelt/three';

const numerics = await openNumerics({ threads: 1 });
const scene = elbowScene({ frames: 5, rings: 9, sides: 6 });
const frames = [0, 2, 4];

// A learnt skin: proxies follow the joints, vertices follow the proxies.
const { envelope } = trainEnvelope(scene, { frames, pull: 0, tolerance: 1e-3, heldShare: 0.1 }, { numerics });
const poses = frames.map((t) => poseAt(scene.clip, t, scene.rig.bones.length).transforms);
const { rig, skin, ...driver } = reduceEnvelope({ envelope, poses }, { proxies: 6, keys: 8, samples: 8 }, { numerics });
const learnt = envelopeModel(skin, driver, rig.weights);
if (learnt.added !== driver.proxies) throw new Error('the palette begins with the proxies');

// A character to be dragged by its skin, for `PoseControls`.
const { rig: controls, ...poser } = buildPoser(scene, { proxies: 20 });
if (poserModel(controls.weights, poser).kind !== 'poser') throw new Error('a mesh of this model can be dragged');
numerics.close();
