import { openNumerics, Random } from '@pelt/math';
import { InputError, UsageError, uniformTimes, validateRig } from '@pelt/model';
import { creatureScene } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { cageModel } from '../../src/reduce/cage.ts';
import { reduceTwoLayer } from '../../src/reduce/two-layer/reduce-two-layer.ts';
import { reduceWeights } from '../../src/reduce/weights/reduce-weights.ts';
import { roundWeights } from '../../src/reduce/weights/round-weights.ts';
import { deformLinear } from '../../src/shared/blending/linear.ts';
import { denseCreature } from './dense-rig.ts';

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('roundWeights', () => {
  const { rig, clip } = denseCreature();
  const reduced = () => reduceWeights({ rig, clips: [clip] }, { weights: 4, rounds: 6 }, { numerics });

  it('leaves whole steps that sum to 1', () => {
    const { rig: rounded } = roundWeights(
      { rig: reduced().rig, clips: [clip] },
      { levels: 255, bones: 'keep' },
      { numerics },
    );
    validateRig(rounded);
    for (const w of rounded.weights.weights) expect(Math.abs(w * 255 - Math.round(w * 255))).toBeLessThan(1e-4);
  });

  it('is better than rounding each weight by itself, and better still where bones may move', () => {
    const four = reduced();
    const input = { rig: four.rig, clips: four.clips };
    const { slots, weights } = four.rig.weights;
    const plain = weights.map((_, k) => {
      const row = k - (k % slots);
      const others = [...weights.subarray(row + 1, row + slots)].map((w) => Math.round(w * 31) / 31);
      return k === row ? 1 - others.reduce((sum, w) => sum + w, 0) : others[(k % slots) - 1];
    });
    const truth = input.clips;
    const each = reduceWeights(
      {
        rig: { ...four.rig, weights: { ...four.rig.weights, weights: plain } },
        clips: truth,
        examples: [playedBy(input)],
      },
      { method: 'k-largest', weights: 4 },
      { numerics },
    );
    const together = roundWeights(input, { levels: 31, bones: 'keep' }, { numerics });
    const moved = roundWeights(input, { levels: 31, bones: 'refit' }, { numerics });
    expect(together.error.eRms).toBeLessThan(each.error.eRms);
    expect(moved.error.eRms).toBeLessThan(together.error.eRms);
  });

  it('refuses no levels', () => {
    expect(() => roundWeights({ rig, clips: [clip] }, { levels: 0, bones: 'keep' }, { numerics })).toThrow(UsageError);
  });

  function playedBy({ rig: of, clips }: { rig: typeof rig; clips: readonly (typeof clip)[] }) {
    const size = of.mesh.positions.length;
    const frames = new Float32Array(size * clips[0].times.length);
    for (let t = 0; t < clips[0].times.length; t++) {
      const pose = clips[0].transforms.subarray(t * of.bones.length * 12, (t + 1) * of.bones.length * 12);
      deformLinear(of.mesh.positions, of.weights, pose, frames.subarray(t * size, (t + 1) * size));
    }
    return { name: 'played', rest: of.mesh, frames, times: clips[0].times };
  }
});

describe('a cage', () => {
  // The creature in a box of 27 control points, weights by inverse distance, the points shaken.
  const { rig } = creatureScene({ frames: 2, detail: 0.1 });
  const { positions } = rig.mesh;
  const n = positions.length / 3;
  const m = 27;
  const cage = Float32Array.from({ length: 3 * m }, (_, k) => {
    const place = [Math.floor(k / 27), Math.floor(k / 9) % 3, Math.floor(k / 3) % 3][k % 3];
    return [-0.6, 0, 0.6][place] + (k % 3 === 1 ? 0.5 : 0);
  });
  const weights = { slots: m, bones: new Uint16Array(n * m), weights: new Float32Array(n * m) };
  for (let i = 0; i < n; i++) {
    const near = Array.from({ length: m }, (_, j) => {
      const d = Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + c] - cage[3 * j + c]));
      return { j, w: Math.exp(-((d / 0.35) ** 2)) };
    }).sort((a, b) => b.w - a.w);
    const total = near.reduce((sum, { w }) => sum + w, 0);
    near.forEach(({ j, w }, s) => {
      weights.bones[i * m + s] = j;
      weights.weights[i * m + s] = w / total;
    });
    const others = weights.weights.subarray(i * m + 1, (i + 1) * m).reduce((sum, w) => sum + w, 0);
    weights.weights[i * m] = 1 - others;
  }
  const S = 8;
  const random = new Random(5);
  const frames = Float32Array.from({ length: S * 3 * m }, (_, k) => cage[k % (3 * m)] + 0.2 * random.normal());
  const model = cageModel({ mesh: rig.mesh, weights, cage, frames, times: uniformTimes(S, 24) });

  it('moves the vertices by its control points', () => {
    const out = deformLinear(positions, weights, model.clip.transforms.subarray(0, m * 12), new Float32Array(3 * n));
    let expected = 0;
    for (let s = 0; s < m; s++) expected += weights.weights[s] * frames[3 * weights.bones[s]];
    expect(out[0]).toBeCloseTo(expected, 5);
  });

  it('reduces like a rig: fitted weights beat the largest, two layers beat both', () => {
    const input = { rig: model.rig, clips: [model.clip] };
    const [fitted, largest] = (['refit', 'k-largest'] as const).map(
      (method) => reduceWeights(input, { method, weights: 4 }, { numerics }).error.eRms,
    );
    const layers = reduceTwoLayer(input, {}, { numerics }).error.eRms;
    expect(fitted).toBeLessThan(largest);
    expect(layers).toBeLessThan(fitted);
    const after = reduceWeights(input, { weights: 4 }, { numerics });
    expect([...after.clips[0].transforms.subarray(0, 12)].map((v) => v.toFixed(6))).toEqual(
      [...model.clip.transforms.subarray(0, 12)].map((v) => v.toFixed(6)),
    );
  });

  it('must have all its points in every frame', () => {
    expect(() =>
      cageModel({ mesh: rig.mesh, weights, cage, frames: frames.slice(3), times: uniformTimes(S, 24) }),
    ).toThrow(InputError);
  });
});
