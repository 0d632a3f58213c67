import { PoseProducts } from '@pelt/kernels';
import { openNumerics, rotationExp, type Scope } from '@pelt/math';
import { frameAt, poseAt } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { GroupDeviation } from '../../../src/pose/runtime/group-deviation.ts';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { relativeFrame, relativePositions, unknownsOf } from '../../../src/pose/runtime/relative-frame.ts';
import { turningRegions } from '../../../src/pose/runtime/turning-regions.ts';
import { TurningSpread } from '../../../src/pose/runtime/turning-spread.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { vertexAreas } from '../../../src/shared/mesh/vertex-areas.ts';
import { creatureExamples, distance, pointOf } from '../scenes.ts';

const { rig, clip, walk } = creatureExamples(4);
const [m, E] = [rig.bones.length, clip.times.length];
const N = 4 * m;
const width = E + 1 + ((E + 1) % 2);
const frame = relativeFrame(rig.mesh.positions);
const x = relativePositions(frame, rig.mesh.positions);
const areas = vertexAreas(x, rig.mesh.triangles);
const poser = buildPoser({ rig, clip }, { regions: 1, proxies: 20, consecutive: true });
const rows = { starts: poser.blockStarts, controls: poser.blockControls, blocks: poser.blocks };
const deviation = new GroupDeviation(poser, rows, x, areas);
const scales = poser.proxyWeights.map((_, p) => 0.5 + (p % 3));
const unknowns = new Float64Array(3 * N * E);
for (let e = 0; e < E; e++) {
  unknownsOf(frame, poseAt(clip, e, m).transforms, unknowns.subarray(3 * N * e, 3 * N * (e + 1)));
}
const regions = turningRegions(poser, areas);
const BETA = Float64Array.from({ length: E }, (_, e) => 0.4 * Math.sin(e + 1));

const numerics = await openNumerics();
afterAll(() => numerics.close());

const deltas = regions.map(({ proxies }) => {
  const delta = new Float64Array(N * N);
  deviation.addTo(
    scales.map((scale, p) => (proxies.includes(p) ? scale : 0)),
    delta,
    N,
  );
  return delta;
});

/** y of one region, from the definition. */
function blended({ logs }: { logs: Float64Array }, beta: Float64Array): Float64Array {
  const [turn, own] = [new Float64Array(9), new Float64Array(9)];
  const total = [0, 1, 2].map((r) => beta.reduce((sum, b, e) => sum + b * logs[3 * e + r], 0));
  rotationExp(total, 0, turn, 0);
  const out = new Float64Array(3 * N);
  for (let e = 0; e < E; e++) {
    rotationExp(Array.from(logs.subarray(3 * e, 3 * e + 3)), 0, own, 0);
    for (let row = 0; row < N; row++) {
      const u = unknowns.subarray(3 * (N * e + row), 3 * (N * e + row) + 3);
      const back = [0, 1, 2].map((r) => own[r] * u[0] + own[3 + r] * u[1] + own[6 + r] * u[2]);
      for (let r = 0; r < 3; r++) {
        for (let k = 0; k < 3; k++) out[3 * row + r] += beta[e] * turn[3 * r + k] * back[k];
      }
    }
  }
  return out;
}

function times(delta: Float64Array, y: Float64Array): Float64Array {
  return y.map((_, at) => {
    let sum = 0;
    for (let k = 0; k < N; k++) sum += delta[Math.floor(at / 3) * N + k] * y[3 * k + (at % 3)];
    return sum;
  });
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, k) => sum + value * b[k], 0);

function pullAt(spread: TurningSpread, beta: Float64Array) {
  const scope = numerics.scope();
  const g = scope.f64(4 * N);
  const energy = spread.addForces(beta, g, 4);
  const pull = Float64Array.from({ length: 3 * N }, (_, k) => g.view[4 * Math.floor(k / 3) + (k % 3)]);
  scope.dispose();
  return { energy, pull };
}

const productsIn = (scope: Scope) =>
  new PoseProducts(
    numerics,
    scope,
    { starts: poser.blockStarts, controls: poser.blockControls, blocks: poser.blocks },
    N / 4,
  );

describe('the spread within proxies under a blend', () => {
  it('is that of an example at the blend of it alone', () => {
    const scope = numerics.scope();
    const spread = new TurningSpread(poser, deviation, areas, productsIn(scope), numerics, scope);
    spread.gather(scales, unknowns);
    const all = deltas.reduce((sum, delta) => sum.map((value, k) => value + delta[k]), new Float64Array(N * N));
    for (let e = 0; e < E; e++) {
      const { pull } = pullAt(
        spread,
        BETA.map((_, k) => (k === e ? 1 : 0)),
      );
      const expected = times(all, unknowns.subarray(3 * N * e, 3 * N * (e + 1)));
      pull.forEach((value, k) => {
        expect(value).toBeCloseTo(expected[k], 10);
      });
    }
    scope.dispose();
  });

  it('pulls, and has the energy and the derivatives, of its definition', () => {
    const scope = numerics.scope();
    const spread = new TurningSpread(poser, deviation, areas, productsIn(scope), numerics, scope);
    spread.gather(scales, unknowns);
    const y = regions.map((region) => blended(region, BETA));
    const { energy, pull } = pullAt(spread, BETA);
    expect(energy).toBeCloseTo(
      y.reduce((sum, own, c) => sum + 0.5 * dot(own, times(deltas[c], own)), 0),
      10,
    );
    const expected = y.reduce(
      (sum, own, c) => {
        const part = times(deltas[c], own);
        return sum.map((value, k) => value + part[k]);
      },
      new Float64Array(3 * N),
    );
    pull.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 10);
    });

    const STEP = 1e-5;
    const moved = (e: number, by: number) => BETA.map((value, k) => value + (k === e ? by : 0));
    const slopes = Array.from({ length: E }, (_, e) =>
      regions.map((region) => {
        const [plus, minus] = [blended(region, moved(e, STEP)), blended(region, moved(e, -STEP))];
        return plus.map((value, k) => (value - minus[k]) / (2 * STEP));
      }),
    );
    const pulled = scope.f64(3 * width * N);
    const block = scope.f64(width * width);
    const gradient = new Float64Array(E);
    spread.addDerivatives(BETA, pulled, 3 * width, block, gradient);
    const gram = block.view;
    for (let e = 0; e < E; e++) {
      const forces = slopes[e].map((slope, c) => times(deltas[c], slope));
      for (let k = 0; k < 3 * N; k++) {
        const sum = forces.reduce((total, force) => total + force[k], 0);
        expect(pulled.view[3 * width * Math.floor(k / 3) + (k % 3) * width + e + 1]).toBeCloseTo(sum, 7);
      }
      expect(gradient[e]).toBeCloseTo(
        forces.reduce((sum, force, c) => sum + dot(force, y[c]), 0),
        7,
      );
      for (let f = 0; f <= e; f++) {
        const product = forces.reduce((sum, force, c) => sum + dot(force, slopes[f][c]), 0);
        expect(gram[(e + 1) * width + f + 1]).toBeCloseTo(product, 7);
      }
    }
    scope.dispose();
  });

  it('brings the poses of few proxies near those of all vertices', () => {
    const tips = extremities(rig.mesh.positions, 5);
    const truth = frameAt(walk.sequence, 6);
    const [few, all] = [100, Number.POSITIVE_INFINITY].map((proxies) => {
      const session = createPoseSession(
        buildPoser({ rig, clip }, { regions: 1, proxies, consecutive: true }),
        {},
        { numerics },
      );
      session.setHandles(tips.map((vertex) => ({ vertex, target: pointOf(truth, vertex) })));
      session.step();
      return session.positions(new Float32Array(rig.mesh.positions.length));
    });
    expect(distance(few, all)).toBeLessThan(0.03 * distance(all, rig.mesh.positions));
  });
});
