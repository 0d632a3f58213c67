import type { GltfAnimation } from '../gltf/scene.ts';

const RATES = [24, 25, 30, 48, 50, 60, 100, 120];
const DEFAULT_RATE = 30;
/** Share by which the mean step of keys may miss a rate. */
const NEAR = 0.01;

/** The usual frame rate that most keys fit, for the time line. */
export function frameRate(clips: readonly GltfAnimation[]): number {
  const steps = clips.flatMap(({ channels }) =>
    channels.flatMap(({ times }) =>
      times.length > 1 ? [(times[times.length - 1] - times[0]) / (times.length - 1)] : [],
    ),
  );
  if (steps.length === 0) return DEFAULT_RATE;
  const step = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  return RATES.find((rate) => Math.abs(rate * step - 1) < NEAR) ?? DEFAULT_RATE;
}
