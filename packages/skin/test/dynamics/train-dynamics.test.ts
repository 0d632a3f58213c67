import { openNumerics } from '@pelt/math';
import { InputError, UsageError, validateDynamics, validateReducedEnvelope } from '@pelt/model';
import { type MotionKind, type SwingScene, type SwingTake, swingScene } from '@pelt/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createSwingDeformer, trainDynamics } from '../../src/dynamics/index.ts';
import { reduceEnvelope, trainEnvelope } from '../../src/envelope/index.ts';
import { expectCancels } from '../expect-cancels.ts';

const numerics = await openNumerics({ threads: 1 });
afterAll(() => numerics.close());

const KINDS: MotionKind[] = ['sway', 'turn', 'hop', 'walk'];

function takesOf(scene: SwingScene, seed: number, seconds: number): SwingTake[] {
  return KINDS.map((kind) => scene.take({ kind, seed, strength: 0.6 }, { seconds, fps: 30 }));
}

/** Plain skinning by the scene's own weights. */
function plainOf(scene: SwingScene, take: SwingTake) {
  const run = { numerics };
  const { envelope } = trainEnvelope({ rig: scene.rig, ...take }, { method: 'ssd', frames: [0, 20] }, run);
  return reduceEnvelope({ envelope: { ...envelope, rig: scene.rig }, poses: [] }, {}, run);
}

/** RMS distances over takes, and those of the same skin without swing. */
function errors(trained: ReturnType<typeof trainDynamics>, takes: readonly SwingTake[]): [number, number] {
  return [1, 0].map((gain) => {
    let [sum, count] = [0, 0];
    const m = trained.envelope.rig.bones.length;
    for (const { clip, sequence } of takes) {
      const deformer = createSwingDeformer(trained, { gain }, { numerics });
      const size = sequence.rest.positions.length;
      const out = new Float32Array(size);
      for (let t = 0; t < clip.times.length; t++) {
        deformer.deform(clip.transforms.subarray(12 * m * t, 12 * m * (t + 1)), t > 0 ? 1 / 30 : 0, out);
        for (let k = 0; k < size; k++) sum += (out[k] - sequence.frames[t * size + k]) ** 2;
        count += size / 3;
      }
      deformer.dispose();
    }
    return Math.sqrt(sum / count);
  }) as [number, number];
}

describe('trainDynamics', () => {
  test('a tail: its mode is found, and a take of another seed is followed', () => {
    const scene = swingScene('tail');
    const takes = takesOf(scene, 1, 3);
    const trained = trainDynamics({ envelope: plainOf(scene, takes[0]), takes }, { proxies: 6 }, { numerics });
    validateReducedEnvelope(trained.envelope);
    validateDynamics(trained.dynamics, 1, trained.envelope.proxies + 1);
    expect(trained.method).toBe('resonators');
    const truth = scene.modes()[0];
    const found = trained.poles.reduce((a, b) =>
      Math.abs(b.hertz - truth.frequency) < Math.abs(a.hertz - truth.frequency) ? b : a,
    );
    expect(found.hertz / truth.frequency).toBeGreaterThan(0.96);
    expect(found.hertz / truth.frequency).toBeLessThan(1.04);
    expect(found.damping).toBeLessThan(0.1);
    expect(trained.leftOut.resonators).toBeLessThan(0.5 * (trained.leftOut.none ?? 0));
    const [swinging, still] = errors(trained, takesOf(scene, 9, 3));
    expect(swinging).toBeLessThan(0.4 * still);
  });

  test('an ear: its mode is found, by fewer proxies than it has rings', () => {
    const scene = swingScene('ear');
    const takes = takesOf(scene, 1, 3);
    const trained = trainDynamics({ envelope: plainOf(scene, takes[0]), takes }, { proxies: 6 }, { numerics });
    const truth = scene.modes()[0].frequency;
    const nearest = Math.min(...trained.poles.map(({ hertz }) => Math.abs(hertz / truth - 1)));
    expect(trained.method).toBe('resonators');
    expect(nearest).toBeLessThan(0.08);
    const [swinging, still] = errors(trained, takesOf(scene, 9, 2));
    expect(swinging).toBeLessThan(0.5 * still);
  });

  test('where nothing swings, the pose alone is chosen and nothing moves', () => {
    const scene = swingScene('tail');
    const [take] = takesOf(scene, 1, 1);
    const size = scene.rig.mesh.positions.length;
    const frames = take.sequence.frames.map((_, k) => {
      const [t, i, c] = [Math.floor(k / size), Math.floor((k % size) / 3), k % 3];
      const row = take.clip.transforms.subarray(12 * t + 4 * c, 12 * t + 4 * c + 4);
      const [x, y, z] = scene.rig.mesh.positions.subarray(3 * i, 3 * i + 3);
      return row[0] * x + row[1] * y + row[2] * z + row[3];
    });
    const rigid = { ...take, sequence: { ...take.sequence, frames } };
    const trained = trainDynamics({ envelope: plainOf(scene, rigid), takes: [rigid] }, { proxies: 4 }, { numerics });
    expect(trained.method).toBe('none');
    const [swinging] = errors(trained, [rigid]);
    expect(swinging).toBeLessThan(1e-4);
  });

  test('refuses takes and options that do not fit', () => {
    const scene = swingScene('tail');
    const take = scene.take({ kind: 'sway', seed: 1, strength: 1 }, { seconds: 1, fps: 24 });
    const envelope = plainOf(scene, take);
    const run = { numerics };
    const short = { ...take.clip, times: take.clip.times.slice(0, 5), transforms: take.clip.transforms.slice(0, 60) };
    expect(() => trainDynamics({ envelope, takes: [{ ...take, clip: short }] }, {}, run)).toThrow(InputError);
    expect(() => trainDynamics({ envelope, takes: [] }, {}, run)).toThrow(/0 frames are too few/);
    expect(() => trainDynamics({ envelope, takes: [take] }, { modes: 0 }, run)).toThrow(UsageError);
  });

  test('stops at the signal', () => {
    const scene = swingScene('tail');
    const takes = takesOf(scene, 1, 1);
    const envelope = plainOf(scene, takes[0]);
    expectCancels(numerics, (run) => trainDynamics({ envelope, takes }, { proxies: 6 }, run));
  });
});
