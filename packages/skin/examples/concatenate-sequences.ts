import { concatenateSequences } from '@pelt/skin/decompose';
import { creatureScene } from '@pelt/testkit';

const { sequence, clip } = creatureScene({ frames: 6 });
const whole = concatenateSequences([sequence, { ...sequence, name: 'again' }]);

const twice = {
  ...clip,
  times: whole.sequence.times,
  transforms: Float64Array.of(...clip.transforms, ...clip.transforms),
};
const [first, second] = whole.split(twice);
if (whole.sequence.times.length !== 12) throw new Error('the frames of both');
if (first.times.length !== 6 || second.name !== 'again') throw new Error('and two clips again');
