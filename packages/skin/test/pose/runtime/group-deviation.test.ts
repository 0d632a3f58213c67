import { openNumerics } from '@pelt/math';
import { poseAt } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { GroupDeviation } from '../../../src/pose/runtime/group-deviation.ts';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { relativeFrame, relativePositions, unknownsOf } from '../../../src/pose/runtime/relative-frame.ts';
import { type GradientRows, vertexGradientRows } from '../../../src/pose/runtime/weight-gradients.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../../src/shared/mesh/vertex-areas.ts';
import { creatureExamples, distance, mostStretch, pointOf } from '../scenes.ts';

const { rig, clip, walk } = creatureExamples(4);
const m = rig.bones.length;
const N = 4 * m;
const x = relativePositions(relativeFrame(rig.mesh.positions), rig.mesh.positions);
const areas = vertexAreas(x, rig.mesh.triangles);
const n = areas.length;

const numerics = await openNumerics();
afterAll(() => numerics.close());

function deviationMatrix(proxies: number): Float64Array {
  const poser = buildPoser({ rig, clip }, { regions: 1, proxies });
  const rows = { starts: poser.blockStarts, controls: poser.blockControls, blocks: poser.blocks };
  const h = new Float64Array(N * N);
  new GroupDeviation(poser, rows, x, areas).addTo(new Float64Array(poser.proxyWeights.length).fill(1), h, N);
  return h;
}

function quadratic(h: Float64Array, u: Float64Array): number {
  let sum = 0;
  for (let a = 0; a < N; a++) {
    for (let b = 0; b < N; b++) for (let r = 0; r < 3; r++) sum += u[3 * a + r] * h[a * N + b] * u[3 * b + r];
  }
  return sum;
}

/** (row · u) of one vertex or proxy, 9 numbers. */
function gradientOf(rows: GradientRows, i: number, u: Float64Array): Float64Array {
  const out = new Float64Array(9);
  for (let b = rows.starts[i]; b < rows.starts[i + 1]; b++) {
    for (let k = 0; k < 4; k++) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          out[3 * r + c] += rows.blocks[12 * b + 3 * k + c] * u[12 * rows.controls[b] + 3 * k + r];
        }
      }
    }
  }
  return out;
}

function exampleUnknowns(e: number): Float64Array {
  const u = new Float64Array(3 * N);
  unknownsOf(relativeFrame(rig.mesh.positions), poseAt(clip, e, m).transforms, u);
  return u;
}

describe('what the means of groups leave out', () => {
  it('is nothing where every vertex is a group', () => {
    expect(deviationMatrix(Number.POSITIVE_INFINITY).every((value) => value === 0)).toBe(true);
  });

  it('is the spread of the vertices’ gradients about their means', () => {
    const poser = buildPoser({ rig, clip }, { regions: 1, proxies: 12 });
    const vertexRows = vertexGradientRows(x, rig.weights, edgeGraph(rig.mesh.triangles, n));
    const rows = { starts: poser.blockStarts, controls: poser.blockControls, blocks: poser.blocks };
    const u = exampleUnknowns(2);
    let expected = 0;
    for (let i = 0; i < n; i++) {
      const mean = gradientOf(rows, poser.vertexProxies[i], u);
      gradientOf(vertexRows, i, u).forEach((value, k) => {
        expected += areas[i] * (value - mean[k]) ** 2;
      });
    }
    expect(expected).toBeGreaterThan(1e-4);
    // Controls that hardly count go with the largest of their proxy.
    expect(Math.abs(quadratic(deviationMatrix(12), u) / expected - 1)).toBeLessThan(1e-4);
  });

  it('does not see where the whole goes', () => {
    const u = Float64Array.from({ length: 3 * N }, (_, k) => (k % 12 < 9 ? 0 : [1, -2, 3][k % 3]));
    expect(Math.abs(quadratic(deviationMatrix(12), u))).toBeLessThan(1e-8);
  });

  it('falls as groups are split', () => {
    const u = exampleUnknowns(1);
    expect(quadratic(deviationMatrix(200), u)).toBeLessThan(0.2 * quadratic(deviationMatrix(12), u));
  });
});

describe('posing with few proxies', () => {
  const tips = extremities(rig.mesh.positions, 5);

  it('finds the pose of all vertices', () => {
    const size = rig.mesh.positions.length;
    const truth = walk.sequence.frames.subarray(6 * size, 7 * size);
    const [few, all] = [40, Number.POSITIVE_INFINITY].map((proxies) => {
      const session = createPoseSession(buildPoser({ rig, clip }, { regions: 1, proxies }), {}, { numerics });
      session.setHandles(tips.map((vertex) => ({ vertex, target: pointOf(truth, vertex) })));
      session.step();
      return session.positions(new Float32Array(size));
    });
    expect(distance(few, all)).toBeLessThan(0.1 * distance(all, rig.mesh.positions));
  });

  it('stretches no edge more than four times where a handle is pulled away by half the size', () => {
    const poser = buildPoser({ rig, clip }, { regions: 1, proxies: 40 });
    const session = createPoseSession(poser, {}, { numerics });
    for (let axis = 0; axis < 3; axis++) {
      const handles = tips.map((vertex) => ({ vertex, target: pointOf(rig.mesh.positions, vertex) }));
      handles[1].target[axis] += 0.5 * poser.size;
      session.setHandles(handles);
      session.step();
      const posed = session.positions(new Float32Array(rig.mesh.positions.length));
      expect(mostStretch(rig.mesh.positions, posed, rig.mesh.triangles)).toBeLessThan(4);
    }
  });
});
