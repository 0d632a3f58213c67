import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { EnvelopePalette, reduceEnvelope, trainEnvelope } from '@pelt/skin/envelope';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const { envelope } = trainEnvelope(scene, { method: 'psd' }, { numerics });
const poses = [poseAt(scene.clip, 4, 2).transforms];
const reduced = reduceEnvelope({ envelope, poses }, {}, { numerics });
const palette = new EnvelopePalette(reduced, scene.rig.bones).update(poses[0]);
// Pose space deformation has no proxies: the palette is that of the bones.
if (palette.some((value, k) => value !== poses[0][k])) throw new Error('the palette differs from the bones');
numerics.close();
