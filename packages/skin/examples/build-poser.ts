import { buildPoser } from '@pelt/skin/pose';
import { creatureScene } from '@pelt/testkit';

const { rig, clip, sequence } = creatureScene({ frames: 6, detail: 0.08 });
const poser = buildPoser({ rig, clip, examples: sequence }, { proxies: 40, consecutive: true });
if (poser.proxyWeights.length > 40 || poser.exampleDetails.length !== 6) throw new Error('not as asked for');
