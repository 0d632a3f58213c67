import { describe, expect, test } from 'vitest';
import { blendFrames, swingScene } from '../../src/index.ts';
import { simulateRod, tunedRod } from '../../src/physics/elastic-rod.ts';
import { modesOf } from '../../src/physics/lattice.ts';
import { simulate } from '../../src/physics/simulate.ts';

const STILL = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
/** A step of a millimetre along x at time 0. */
const stepped = (t: number) => STILL.map((value, k) => (k === 3 && t > 0 ? 1e-3 : value));

/** Zero crossings of a signal about its last value give its period. */
function frequencyOf(signal: readonly number[], fps: number): number {
  const about = signal.map((value) => value - 1e-3);
  const crossings = about.flatMap((value, t) =>
    t > 0 && value * about[t - 1] < 0 ? [t - 1 + about[t - 1] / (about[t - 1] - value)] : [],
  );
  return (fps * (crossings.length - 1)) / (2 * (crossings[crossings.length - 1] - crossings[0]));
}

describe('swinging parts', () => {
  test('one mass on a spring has the frequency of its mode', () => {
    const lattice = {
      positions: new Float64Array(3),
      masses: Float64Array.of(0.5),
      springs: [],
      carriers: Float64Array.of(1),
      ties: Float64Array.of(0.5 * (2 * Math.PI * 3) ** 2),
      drag: 0,
      viscosity: 0,
    };
    expect(modesOf(lattice)[0].frequency).toBeCloseTo(3, 10);
    const poseAt = (t: number, out: Float64Array) => out.set(stepped(t));
    const frames = simulate({ lattice, bones: 1, poseAt }, 240, 120);
    const x = Array.from({ length: 240 }, (_, t) => frames[3 * t]);
    expect(frequencyOf(x, 120)).toBeCloseTo(3, 1);
  });

  test('steady motion leaves a lattice as it is', () => {
    const lattice = {
      positions: Float64Array.of(0, 0, 0, 0.1, 0, 0),
      masses: Float64Array.of(0.5, 0.5),
      springs: [{ a: 0, b: 1, stiffness: 100 }],
      carriers: Float64Array.of(1, 1),
      ties: Float64Array.of(Number.POSITIVE_INFINITY, 50),
      drag: 1,
      viscosity: 0.01,
    };
    // Accelerates for half a second, then moves at 2 m/s.
    const shift = (t: number) => (t < 0.5 ? 2 * t * t : 2 * t - 0.5);
    const poseAt = (t: number, out: Float64Array) => out.set(STILL.map((value, k) => (k === 3 ? shift(t) : value)));
    const frames = simulate({ lattice, bones: 1, poseAt }, 301, 30);
    expect(Math.abs(frames[6 * 10 + 3] - shift(10 / 30) - 0.1)).toBeGreaterThan(1e-3);
    expect(frames[6 * 300 + 3] - shift(10)).toBeCloseTo(0.1, 5);
  });

  test('a rod swings at its lowest mode and keeps its length', () => {
    const points = Float64Array.from({ length: 24 }, (_, k) => (k % 3 === 2 ? -0.05 * Math.floor(k / 3) : 0));
    const rod = tunedRod(
      { points, masses: new Float64Array(8).fill(0.05), stiffness: 1, drag: 0.3, viscosity: 0.001 },
      2,
    );
    const frames = simulateRod(rod, stepped, 240, 60);
    const tip = Array.from({ length: 240 }, (_, t) => frames[24 * t + 21]);
    expect(frequencyOf(tip.slice(60), 60)).toBeCloseTo(2, 1);
    for (let i = 1; i < 8; i++) {
      const d = [0, 1, 2].map((c) => frames[24 * 100 + 3 * i + c] - frames[24 * 100 + 3 * i - 3 + c]);
      expect(Math.hypot(d[0], d[1], d[2])).toBeCloseTo(0.05, 5);
    }
  });

  test.each(['tail', 'belly', 'ear', 'sleeve', 'cape'] as const)('the %s starts at rest and swings', (name) => {
    const scene = swingScene(name);
    const take = scene.take({ kind: 'sway', seed: 1, strength: 0.6 }, { seconds: 0.8, fps: 25 });
    expect(take.clip.times.length).toBe(21);
    const rigid = blendFrames(scene.rig, take.clip);
    const size = scene.rig.mesh.positions.length;
    const off = (t: number) => {
      let sum = 0;
      for (let k = t * size; k < (t + 1) * size; k++) sum += (rigid[k] - take.sequence.frames[k]) ** 2;
      return Math.sqrt((3 * sum) / size);
    };
    // Cloth hangs away from its rest shape before it moves.
    if (name !== 'sleeve' && name !== 'cape') expect(off(0)).toBeLessThan(1e-6);
    expect(off(20)).toBeGreaterThan(1e-4);
    expect(off(20)).toBeLessThan(0.5);
  });
});
