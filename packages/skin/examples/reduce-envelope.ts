import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { reduceEnvelope, trainEnvelope } from '@pelt/skin/envelope';
import { elbowScene } from '@pelt/testkit';

const numerics = await openNumerics();
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const { envelope } = trainEnvelope(scene, { frames: [0, 2, 4] }, { numerics });
const poses = [0, 2, 4].map((t) => poseAt(scene.clip, t, 2).transforms);
const { proxies } = reduceEnvelope({ envelope, poses }, { proxies: 8 }, { numerics });
if (proxies !== 8) throw new Error(`${proxies} proxies`);
numerics.close();
