import { openNumerics } from '@pelt/math';
import { buildPoser, transferPoser } from '@pelt/skin/pose';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 6, detail: 0.08 });
const finer = creatureScene({ frames: 1, detail: 0.06 }).rig;
const source = buildPoser({ rig, clip }, { proxies: 40 });
const poser = transferPoser({ source, rig: finer }, { proxies: 40 }, { numerics });
if (poser.exampleNames.length !== 6 || poser.rig !== finer) throw new Error('the pose space is not transferred');
numerics.close();
