import { rotationExp } from '@pelt/math';
import {
  type Bone,
  DRIVER_INPUTS,
  type Dynamics,
  IDENTITY_TRANSFORM,
  InputError,
  UsageError,
  validateDynamics,
} from '@pelt/model';
import { describe, expect, test } from 'vitest';
import { startClip } from '../../src/dynamics/runtime/loops.ts';
import { SwingPlayer, type SwingState } from '../../src/dynamics/runtime/swing-player.ts';

const BONES: Bone[] = [{ name: 'hips', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }];

/** One mode along x, driven by velocity along x and by gravity along y. */
function dynamicsOf(changes: Partial<Dynamics> = {}): Dynamics {
  const channels = new Float64Array(DRIVER_INPUTS);
  channels[0] = 1;
  channels[DRIVER_INPUTS - 2] = 0.5;
  return {
    gravity: Float64Array.of(0, -1, 0),
    drivers: Uint16Array.of(0),
    speeds: Float64Array.of(1, 1),
    posed: new Uint16Array(0),
    bones: Uint16Array.of(0),
    centres: Float64Array.of(0, 1, 0),
    rest: new Float64Array(12),
    modes: new Float64Array(12).fill(1, 3, 4),
    limits: Float64Array.of(0.1),
    offsets: new Float64Array(1),
    poseMap: new Float64Array(3),
    motionMap: new Float64Array(0),
    poles: Float64Array.of(4 * Math.PI, 0.1, 1),
    channels,
    readOut: Float64Array.of(0.01, -0.05),
    ...changes,
  };
}

const moved = (x: number) => Float64Array.from(IDENTITY_TRANSFORM).fill(x, 3, 4);

/** Amplitudes over a motion along x, in steps of dt. */
function played(player: SwingPlayer, motion: (t: number) => number, seconds: number, dt: number): number[] {
  const state = player.createState();
  return Array.from({ length: Math.round(seconds / dt) + 1 }, (_, k) => {
    player.step(state, moved(motion(k * dt)), k > 0 ? dt : 0);
    return state.amplitudes[0];
  });
}

const sway = (t: number) => 0.05 * (1 - Math.cos(5 * t));

describe('SwingPlayer', () => {
  test('a skeleton at rest leaves the palette as it is, exactly', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    const state = player.createState();
    const palette = moved(0);
    for (let k = 0; k < 5; k++) player.step(state, moved(0), 0.1);
    player.apply(state, palette);
    expect(palette).toEqual(moved(0));
  });

  test('the pose part reads rotations as vectors or as matrices, by the width of its map', () => {
    const bones = [BONES[0], { name: 'spine', parent: 0, rest: Float64Array.from(IDENTITY_TRANSFORM) }];
    const angle = 0.3;
    const turned = new Float64Array(24);
    turned.set(IDENTITY_TRANSFORM);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    turned.set([c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0], 12);
    const read = (poseMap: Float64Array) => {
      const dynamics = dynamicsOf({ posed: Uint16Array.of(1), poseMap, limits: Float64Array.of(10) });
      validateDynamics(dynamics, 2, 2);
      const player = new SwingPlayer(dynamics, bones);
      const state = player.createState();
      player.step(state, turned, 0);
      return state.amplitudes[0];
    };
    expect(read(Float64Array.of(0, 0, 1, 0, 0, 0))).toBeCloseTo(angle, 12);
    // Entries 0 and 3 of R − I: cos − 1 and sin.
    const entries = (k: number) => Float64Array.from({ length: 12 }, (_, c) => (c === k ? 1 : 0));
    expect(read(entries(0))).toBeCloseTo(c - 1, 12);
    expect(read(entries(3))).toBeCloseTo(s, 12);
    expect(() => read(new Float64Array(7))).toThrow(InputError);
  });

  test('a code moves a bone about its centre: turn, stretch, shift', () => {
    // A quarter turn about z, twice as long along x, one up.
    const rest = Float64Array.of(0, 0, Math.PI / 2, 0, 1, 0, 1, 0, 0, 0, 0, 0);
    const player = new SwingPlayer(dynamicsOf({ rest }), BONES);
    const state = player.createState();
    const palette = moved(0);
    player.step(state, moved(0), 0);
    player.apply(state, palette);
    const turn = new Float64Array(9);
    rotationExp([0, 0, Math.PI / 2], 0, turn, 0);
    // The centre (0, 1, 0) goes to (0, 2, 0); x = 1 beside it goes two further along y.
    const at = (x: number, y: number) => [0, 4].map((r) => palette[r] * x + palette[r + 1] * y + palette[r + 3]);
    expect(at(0, 1)[0]).toBeCloseTo(0, 12);
    expect(at(0, 1)[1]).toBeCloseTo(2, 12);
    expect(at(1, 1)[0]).toBeCloseTo(0, 12);
    expect(at(1, 1)[1]).toBeCloseTo(4, 12);
  });

  test('rates of play agree', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    const exact = played(player, sway, 3, 1 / 960);
    const largest = Math.max(...exact.map(Math.abs));
    expect(largest).toBeGreaterThan(0.005);
    for (const fps of [24, 30, 60, 120]) {
      const each = played(player, sway, 3, 1 / fps);
      each.forEach((a, k) => {
        expect(Math.abs(a - exact[(960 / fps) * k])).toBeLessThan(0.06 * largest);
      });
    }
  });

  test('comes to rest where motion ends, whatever gravity says', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    const state = player.createState();
    const turned = new Float64Array([0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]);
    player.step(state, moved(0), 0);
    player.step(state, turned, 0.2);
    let largest = 0;
    for (let k = 0; k < 600; k++) {
      player.step(state, turned, 1 / 60);
      largest = Math.max(largest, Math.abs(state.amplitudes[0]));
    }
    expect(largest).toBeGreaterThan(1e-3);
    expect(Math.abs(state.amplitudes[0])).toBeLessThan(1e-4 * largest);
  });

  test('a teleport does not shake, ten times the speed is bounded', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    expect(played(player, (t) => (t > 1 ? 100 : 0), 2, 1 / 30).every((a) => a === 0)).toBe(true);
    const fast = played(player, (t) => Math.sin(30 * t), 4, 1 / 120);
    expect(Math.max(...fast.map(Math.abs))).toBeLessThan(1.8 * 0.1);
  });

  test('after a reset a pose counts as held', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    const state = player.createState();
    for (let k = 0; k < 20; k++) player.step(state, moved(sway(k / 20)), k > 0 ? 1 / 20 : 0);
    expect(state.amplitudes[0]).not.toBe(0);
    player.reset(state);
    player.step(state, moved(7), 1 / 20);
    expect(state.amplitudes[0]).toBe(0);
  });

  test('gain scales, and states do not mix', () => {
    const [once, twice] = [1, 2].map((gain) => new SwingPlayer(dynamicsOf(), BONES, { gain }));
    const [a, b] = [once, twice].map((player) => played(player, sway, 1, 1 / 30));
    a.forEach((value, k) => {
      expect(b[k]).toBeCloseTo(2 * value, 12);
    });
    expect(() => new SwingPlayer(dynamicsOf(), BONES, { stiffness: 0 })).toThrow(/stiffness is 0/);
  });

  test('nothing that swings', () => {
    const none = dynamicsOf({
      bones: new Uint16Array(0),
      centres: new Float64Array(0),
      rest: new Float64Array(0),
      modes: new Float64Array(0),
      limits: new Float64Array(0),
      offsets: new Float64Array(0),
      poseMap: new Float64Array(0),
      poles: new Float64Array(0),
      channels: new Float64Array(0),
      readOut: new Float64Array(0),
    });
    validateDynamics(none, 1, 1);
    const player = new SwingPlayer(none, BONES);
    const state = player.createState();
    const palette = moved(1);
    player.step(state, moved(1), 0.1);
    player.apply(state, palette);
    expect(palette).toEqual(moved(1));
  });
});

describe('validateDynamics', () => {
  test.each<[string, Partial<Dynamics>, RegExp]>([
    ['a driver that is no joint', { drivers: Uint16Array.of(3) }, /drivers/],
    ['a bone beyond the palette', { bones: Uint16Array.of(1) }, /bones/],
    ['no damping', { poles: Float64Array.of(10, 0, 1) }, /damping of 0/],
    ['half a channel', { poles: Float64Array.of(10, 0.1, 0.5) }, /0.5 channels/],
    ['a short read-out', { readOut: new Float64Array(1) }, /readOut/],
    ['a number that is none', { offsets: Float64Array.of(Number.NaN) }, /offsets/],
  ])('refuses %s', (_, changes, message) => {
    expect(() => validateDynamics(dynamicsOf(changes), 1, 1)).toThrow(InputError);
    expect(() => validateDynamics(dynamicsOf(changes), 1, 1)).toThrow(message);
  });

  test('is tuned in the middle of a motion', () => {
    const [player, other] = [new SwingPlayer(dynamicsOf(), BONES), new SwingPlayer(dynamicsOf(), BONES, { gain: 2 })];
    player.tune({ gain: 2 });
    expect(played(player, sway, 1, 1 / 60)).toEqual(played(other, sway, 1, 1 / 60));
    expect(player.options).toEqual({ stiffness: 1, damping: 1, gain: 2 });
    for (const options of [{ stiffness: 0 }, { damping: Number.NaN }, { gain: Number.POSITIVE_INFINITY }]) {
      expect(() => player.tune(options)).toThrow(UsageError);
    }
  });
});

describe('contact', () => {
  /** The centre at (0, 1, 0) swings along x, beside a sphere of radius 0.5 about (−0.6, 1, 0). */
  const contact = {
    bones: Uint16Array.of(0),
    shapes: Float64Array.of(-0.6, 1, 0, -0.6, 1, 0, 0.5),
    clearances: Float64Array.of(0.05),
  };
  const placed = (amplitude: number, changes: Partial<Dynamics>) => {
    const player = new SwingPlayer(dynamicsOf({ limits: Float64Array.of(10), ...changes }), BONES);
    const state = player.createState();
    player.step(state, moved(0), 0);
    state.amplitudes[0] = amplitude;
    // The bone, then the joint that carries the sphere.
    const palette = Float64Array.of(...IDENTITY_TRANSFORM, ...IDENTITY_TRANSFORM);
    player.apply(state, palette);
    return palette[3];
  };

  test('leaves what keeps clear, and pushes out what does not', () => {
    expect(placed(0.3, { contact })).toBe(placed(0.3, {}));
    expect(placed(-0.4, {})).toBeCloseTo(-0.4, 12);
    // The surface is at −0.1, the clearance ends at −0.05.
    expect(placed(-0.4, { contact })).toBeCloseTo(-0.05, 12);
    const steps = Array.from({ length: 101 }, (_, k) => placed(-0.2 + 0.004 * k, { contact }));
    steps.slice(1).forEach((x, k) => {
      expect(x - steps[k]).toBeGreaterThanOrEqual(-1e-12);
      expect(x - steps[k]).toBeLessThan(0.005);
    });
  });

  test('moves a bone no farther than its swing could have', () => {
    // Half a metre would be needed; modes reach 0.1, and limits end at 1.8 times.
    const far = { ...contact, clearances: Float64Array.of(0.6) };
    const limits = Float64Array.of(0.1);
    const push = placed(0, { contact: far, limits }) - placed(0, { limits });
    expect(push).toBeGreaterThan(0.1);
    expect(push).toBeLessThan(0.18);
  });

  test('is checked', () => {
    validateDynamics(dynamicsOf({ contact }), 1, 2);
    for (const wrong of [
      { clearances: new Float64Array(2) },
      { bones: Uint16Array.of(3) },
      { clearances: Float64Array.of(Number.NaN) },
    ]) {
      expect(() => validateDynamics(dynamicsOf({ contact: { ...contact, ...wrong } }), 1, 2)).toThrow(InputError);
    }
  });
});

describe('startClip', () => {
  const clipOf = (motion: (t: number) => number, seconds: number, fps: number) => {
    const times = Float64Array.from({ length: Math.round(seconds * fps) + 1 }, (_, k) => k / fps);
    const transforms = Float64Array.from(Array.from(times).flatMap((t) => Array.from(moved(motion(t)))));
    return { times, transforms };
  };
  const play = (player: SwingPlayer, state: SwingState, { times, transforms }: ReturnType<typeof clipOf>) => {
    for (let t = 1; t < times.length; t++) {
      player.step(state, transforms.subarray(12 * t, 12 * t + 12), times[t] - times[t - 1]);
    }
  };

  test('closes a loop: amplitudes at its end are those at its start', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    const loop = clipOf((t) => 0.05 * Math.sin(2 * Math.PI * t), 1, 30);
    const state = player.createState();
    startClip(player, state, loop);
    const [first] = state.amplitudes;
    expect(Math.abs(first)).toBeGreaterThan(1e-4);
    play(player, state, loop);
    expect(Math.abs(state.amplitudes[0] - first)).toBeLessThan(1e-5);
  });

  test('holds the first pose of any other clip', () => {
    const player = new SwingPlayer(dynamicsOf(), BONES);
    const state = player.createState();
    startClip(
      player,
      state,
      clipOf((t) => 0.05 * t, 1, 30),
    );
    expect(Math.abs(state.amplitudes[0])).toBeLessThan(1e-12);
    startClip(player, state, { times: new Float64Array(0), transforms: new Float64Array(0) });
  });
});
