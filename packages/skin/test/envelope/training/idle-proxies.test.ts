import { openNumerics } from '@pelt/math';
import { frameAt, poseAt, type ReducedEnvelope, validateReducedEnvelope } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { createReducedDeformer } from '../../../src/envelope/runtime/reduced-deformer.ts';
import { withoutIdleProxies } from '../../../src/envelope/training/idle-proxies.ts';
import { reduceEnvelope } from '../../../src/envelope/training/reduce-envelope.ts';
import { trainEnvelope } from '../../../src/envelope/training/train-envelope.ts';
import { deformLinear } from '../../../src/shared/blending/index.ts';

const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const train = [0, 2, 4];
const poses = train.map((t) => poseAt(scene.clip, t, scene.rig.bones.length).transforms);
const unseen = poseAt(scene.clip, 3, scene.rig.bones.length).transforms;

let numerics: Awaited<ReturnType<typeof openNumerics>>;

beforeAll(async () => {
  numerics = await openNumerics();
});

function trained() {
  const options = { frames: train, correction: false, pull: 0, heldShare: 0, fallback: false };
  return trainEnvelope(scene, options, { numerics }).envelope;
}

function shapeOf(reduced: ReducedEnvelope): Float32Array {
  const deformer = createReducedDeformer(reduced, {}, { numerics });
  const out = deformer.deform(unseen, new Float32Array(scene.rig.mesh.positions.length));
  deformer.dispose();
  return out;
}

/** The skin with every vertex that a proxy in `gone` moves hung from a bone instead. */
function unused({ proxies: P, skin, ...rest }: ReducedEnvelope, gone: readonly number[]): ReducedEnvelope {
  const { slots } = skin;
  const [bones, weights] = [skin.bones.slice(), skin.weights.slice()];
  for (let i = 0; i < bones.length; i += slots) {
    const moves = [...bones.subarray(i, i + slots)].some((bone, s) => gone.includes(bone) && weights[i + s] > 0);
    if (!moves) continue;
    weights.fill(0, i, i + slots);
    bones[i] = P + 1;
    weights[i] = 1;
  }
  return { ...rest, proxies: P, skin: { slots, bones, weights } };
}

describe('withoutIdleProxies', () => {
  it('leaves a skin whose proxies are all used as it is', () => {
    const reduced = reduceEnvelope({ envelope: trained(), poses }, { proxies: 8 }, { numerics });
    expect(withoutIdleProxies(reduced)).toBe(reduced);
  });

  it('leaves out those that move nothing, and gives the same shape', () => {
    const reduced = reduceEnvelope({ envelope: trained(), poses }, { proxies: 8, weights: 1 }, { numerics });
    const partly = unused(reduced, [0, 3, reduced.proxies - 1]);
    const fewer = withoutIdleProxies(partly);
    validateReducedEnvelope(fewer);
    expect(fewer.proxies).toBeLessThanOrEqual(reduced.proxies - 3);
    expect(fewer.proxies).toBeGreaterThan(0);
    expect(shapeOf(fewer)).toEqual(shapeOf(partly));
    expect(shapeOf(fewer)).not.toEqual(shapeOf(reduced));
  });
});

describe('reduceEnvelope', () => {
  it('is linear blending without proxies where every vertex is fixed', () => {
    const envelope = trained();
    const reduced = reduceEnvelope(
      { envelope: { ...envelope, fixed: envelope.fixed.map(() => 1) }, poses },
      {},
      { numerics },
    );
    validateReducedEnvelope(reduced);
    expect(reduced.proxies).toBe(0);
    const { positions } = scene.rig.mesh;
    const linear = deformLinear(positions, envelope.rig.weights, unseen, new Float32Array(positions.length));
    const shape = shapeOf(reduced);
    for (let k = 0; k < shape.length; k++) expect(shape[k]).toBeCloseTo(linear[k], 5);
    expect(shape).not.toEqual(frameAt(scene.sequence, 0));
  });
});
