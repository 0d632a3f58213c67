import { cleanClip, measureTake } from '@pelt/skin/puppet';
import { creatureScene } from '@pelt/testkit';

const { rig, clip } = creatureScene({ frames: 24, detail: 0.1 });
const { clip: cleaned } = cleanClip({ character: rig, clip }, { jitter: 0.06, feet: false });
const [before, after] = [clip, cleaned].map((take) => measureTake({ character: rig, clip: take }));
if (!(after.jitter <= before.jitter)) throw new Error('a cleaned take trembles less');
