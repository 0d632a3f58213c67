import { openNumerics } from '@pelt/math';
import { frameAt } from '@pelt/model';
import { buildPoser, createPoseSession } from '@pelt/skin/pose';
import { creatureScene, extremities } from '@pelt/testkit';

const numerics = await openNumerics();
const { rig, clip, sequence } = creatureScene({ frames: 8, detail: 0.08 });
const poser = buildPoser({ rig, clip }, { proxies: 40 });
const session = createPoseSession(poser, {}, { numerics });
const wanted = frameAt(sequence, 3);
const tips = extremities(rig.mesh.positions, 5);
session.setHandles(tips.map((vertex) => ({ vertex, target: wanted.subarray(3 * vertex, 3 * vertex + 3) })));
session.step();
if (session.handleError(0) > 1e-4) throw new Error('the handle is not met');
session.dispose();
numerics.close();
