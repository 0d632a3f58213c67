/** A recorded motion as a stick figure for the mirror: seen from the front, in a frame that holds all of it. */
import { frameNearest, type Motion } from '@pelt/model';
import type { Performer } from './studio.ts';

/** Part of the picture that is left free round the figure. */
const MARGIN = 0.1;
/** Width over height of the mirror. */
const ASPECT = 4 / 3;

/** @returns the performer at a time in seconds */
export function followMotion({ joints, positions, confidence, times }: Motion): (time: number) => Performer {
  const J = joints.length;
  const [low, high] = [
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ];
  for (let k = 0; k < confidence.length; k++) {
    if (confidence[k] === 0) continue;
    for (let c = 0; c < 2; c++) {
      low[c] = Math.min(low[c], positions[3 * k + c]);
      high[c] = Math.max(high[c], positions[3 * k + c]);
    }
  }
  const height = Math.max(high[1] - low[1], (high[0] - low[0]) / ASPECT) || 1;
  const scale = (1 - 2 * MARGIN) / height;
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const duration = times[times.length - 1] || 1;
  return (time) => {
    const t = frameNearest(times, Math.min(time, duration));
    const picture = new Float32Array(2 * J);
    for (let j = 0; j < J; j++) {
      const k = 3 * (t * J + j);
      picture[2 * j] = 0.5 + ((positions[k] - middle[0]) * scale) / ASPECT;
      picture[2 * j + 1] = 0.5 - (positions[k + 1] - middle[1]) * scale;
    }
    const frame = {
      time,
      joints: positions.subarray(3 * t * J, 3 * (t + 1) * J),
      confidence: confidence.subarray(t * J, (t + 1) * J),
      picture,
    };
    return { video: undefined, joints, frame, caption: 'The performer' };
  };
}
