import { openNumerics } from '@pelt/math';
import { exampleCount } from '@pelt/model';
import { buildPoser, createPoseSession, extendPoser } from '@pelt/skin/pose';
import { creatureScene } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip } = creatureScene({ frames: 4, detail: 0.08 });
const poser = buildPoser({ rig, clip }, { proxies: 40 });
const session = createPoseSession(poser, {}, { numerics });
session.setHandles([{ vertex: 0, target: [0.1, 0.2, 0] }]);
session.step();
const added = [{ name: 'dragged', transforms: session.pose().transforms.slice() }];
session.dispose();
const richer = extendPoser({ poser, added });
if (exampleCount(richer) !== 5 || richer.exampleNames[4] !== 'dragged') throw new Error('not one more example');
numerics.close();
