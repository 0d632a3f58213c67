import { openNumerics } from '@pelt/math';
import { DRIVER_INPUTS } from '@pelt/model';
import { blendFrames, type MotionKind, type SwingName, swingScene } from '@pelt/testkit';
import { afterAll, expect, test } from 'vitest';
import { chooseReadOut } from '../../src/dynamics/training/choose-poles.ts';
import type { TakeData } from '../../src/dynamics/training/read-out-data.ts';
import { channelsOf, takeInputs } from '../../src/dynamics/training/take-features.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const KINDS: MotionKind[] = ['sway', 'turn', 'hop', 'walk'];

/** Velocities and gravity of the last joint, and the mean swing of the vertices in its axes. */
function takeOf(name: SwingName, kind: MotionKind, seed: number): TakeData {
  const scene = swingScene(name);
  const { clip, sequence } = scene.take({ kind, seed, strength: 0.5 }, { seconds: 3, fps: 30 });
  const { bones } = scene.rig;
  const m = bones.length;
  const base = { drivers: Uint16Array.of(m - 1), posed: new Uint16Array(0), gravity: Float64Array.of(0, -1, 0) };
  const inputs = takeInputs(bones, base, clip);
  const used = Array.from({ length: DRIVER_INPUTS }, (_, k) => k);
  const projection = new Float64Array(used.length * DRIVER_INPUTS);
  for (const [c, k] of used.entries()) projection[c * DRIVER_INPUTS + k] = 1;
  const rigid = blendFrames(scene.rig, clip);
  const size = sequence.rest.positions.length;
  const targets = new Float64Array(3 * clip.times.length);
  for (let k = 0; k < rigid.length; k++) {
    const [t, c] = [Math.floor(k / size), k % 3];
    const T = 12 * (t * m + m - 1);
    const off = (sequence.frames[k] - rigid[k]) / (size / 3);
    for (let r = 0; r < 3; r++) targets[3 * t + r] += clip.transforms[T + 4 * c + r] * off;
  }
  const { times, pose, turns } = inputs;
  const channels = channelsOf(inputs, projection);
  return { times, pose, turns, channels, inputs: channels, targets, pieces: [0] };
}

test('a resonator of the belly stands for its lowest modes, which lie close together', () => {
  const takes = KINDS.flatMap((kind) => [1, 2].map((seed) => takeOf('belly', kind, seed)));
  const { form, leftOut } = chooseReadOut(takes, 'resonators', { numerics });
  const [lowest] = swingScene('belly').modes();
  const found = Math.min(...form.poles.map(({ omega }) => omega)) / (2 * Math.PI);
  expect(found / lowest.frequency).toBeGreaterThan(0.95);
  expect(found / lowest.frequency).toBeLessThan(1.1);
  expect(leftOut.resonators).toBeLessThan(0.08 * (leftOut.none ?? 0));
});

test('where features say nothing about takes left out, nothing is read from them', () => {
  const noise = (k: number) => Math.sin(12.9898 * k * k) % 1;
  const takes = [0, 1, 2, 3].map((g): TakeData => {
    const take = takeOf('tail', 'sway', 1);
    return { ...take, targets: take.targets.map((_, k) => noise(k + 1000 * g)) };
  });
  const { fit } = chooseReadOut(takes, 'none', { numerics });
  expect(fit.weights.every((weight) => weight === 0)).toBe(true);
  expect(fit.offsets.every((offset) => offset === 0)).toBe(true);
});
