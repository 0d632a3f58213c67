import { InputError, poseAt, proxyCount, UsageError, validatePoser } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import {
  relativeFrame,
  relativePositions,
  transformsOf,
  unknownsOf,
} from '../../../src/pose/runtime/relative-frame.ts';
import { prunedRows, vertexGradientRows } from '../../../src/pose/runtime/weight-gradients.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { groupByControls } from '../../../src/pose/training/proxies.ts';
import { proxyGradients } from '../../../src/pose/training/proxy-gradients.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../../src/shared/mesh/vertex-areas.ts';
import { creatureExamples } from '../scenes.ts';

const { rig, clip, sequence } = creatureExamples(4);
const m = rig.bones.length;
const frame = relativeFrame(rig.mesh.positions);
const x = relativePositions(frame, rig.mesh.positions);
const n = x.length / 3;
const graph = edgeGraph(rig.mesh.triangles, n);
const rows = vertexGradientRows(x, rig.weights, graph);

/** A sheet in z = 0 whose weights go over from one bone to another along x, 5 × 5 vertices. */
function sheet() {
  const positions = Float64Array.from({ length: 75 }, (_, k) => [Math.floor(k / 3) % 5, Math.floor(k / 15), 0][k % 3]);
  const triangles: number[] = [];
  for (let r = 0; r < 4; r++) {
    for (let c = 0; c < 4; c++) {
      const a = 5 * r + c;
      triangles.push(a, a + 1, a + 6, a, a + 6, a + 5);
    }
  }
  const weights = Float32Array.from({ length: 50 }, (_, k) => {
    const share = (Math.floor(k / 2) % 5) / 4;
    return k % 2 === 0 ? 1 - share : share;
  });
  return {
    positions,
    triangles: Uint32Array.from(triangles),
    skin: { slots: 2, bones: new Uint16Array(50).map((_, k) => k % 2), weights },
  };
}

describe('relative unknowns', () => {
  it('go to transforms and back', () => {
    const { transforms } = poseAt(clip, 2, m);
    const unknowns = new Float64Array(12 * m);
    unknownsOf(frame, transforms, unknowns);
    const back = new Float64Array(12 * m);
    transformsOf(frame, unknowns, back);
    back.forEach((value, k) => {
      expect(value).toBeCloseTo(transforms[k], 12);
    });
  });
});

describe('weight gradients', () => {
  it('at rest leave the identity, whatever the weights', () => {
    const gradients = new Float64Array(9 * n);
    proxyGradients(rows, new Float64Array(12 * m), gradients);
    gradients.forEach((value, k) => {
      expect(value).toBe((k % 9) % 4 === 0 ? 1 : 0);
    });
  });

  it('of one motion of all controls are that motion: rows of the weights sum to one, slopes to zero', () => {
    const turn = [0, -2, 0, 5, 1, 0, 0, -3, 0, 0, 1, 7];
    const unknowns = new Float64Array(12 * m);
    unknownsOf(
      { center: [0, 0, 0], size: 1 },
      Float64Array.from({ length: 12 * m }, (_, k) => turn[k % 12]),
      unknowns,
    );
    const gradients = new Float64Array(9 * n);
    proxyGradients(rows, unknowns, gradients);
    gradients.forEach((value, k) => {
      expect(value).toBeCloseTo(turn[4 * Math.floor((k % 9) / 3) + (k % 3)], 4);
    });
  });

  it('of a sheet are the slope of its weights, damped by the ridge, and nothing across it', () => {
    const { positions, triangles, skin } = sheet();
    const found = vertexGradientRows(positions, skin, edgeGraph(triangles, 25));
    // Vertex 12 in the middle: rows of blocks are x·slope…, the last three numbers are the slope itself.
    const [first, second] = [0, 1].map((b) =>
      found.blocks.slice(12 * (found.starts[12] + b) + 9, 12 * (found.starts[12] + b) + 12),
    );
    expect(first[0]).toBeLessThan(-0.2);
    expect(first[0]).toBeGreaterThan(-0.25);
    expect(second[0]).toBeCloseTo(-first[0], 12);
    expect(Math.abs(first[2])).toBeLessThan(1e-12);
  });

  it('of a vertex without a ring have no slope', () => {
    const lone = vertexGradientRows(
      Float64Array.of(1, 2, 3),
      { slots: 1, bones: Uint16Array.of(0), weights: Float32Array.of(1) },
      edgeGraph(new Uint32Array(0), 1),
    );
    expect(Array.from(lone.blocks)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  });

  it('lose small blocks without losing a motion of all controls alike', () => {
    const rows = {
      starts: Uint32Array.of(0, 3, 3, 4),
      controls: Uint16Array.of(0, 2, 5, 1),
      blocks: Float64Array.from({ length: 48 }, (_, k) => (k >= 12 && k < 24 ? 1e-3 : 1 + k / 10)),
    };
    expect(prunedRows(rows, 0)).toEqual(rows);
    const pruned = prunedRows(rows, 0.01);
    expect(Array.from(pruned.starts)).toEqual([0, 2, 2, 3]);
    expect(Array.from(pruned.controls)).toEqual([0, 5, 1]);
    for (let c = 0; c < 12; c++) {
      expect(pruned.blocks[c] + pruned.blocks[12 + c]).toBeCloseTo(
        rows.blocks[c] + rows.blocks[12 + c] + rows.blocks[24 + c],
        12,
      );
    }
  });
});

describe('proxies', () => {
  const areas = vertexAreas(x, rig.mesh.triangles);

  it('take the vertices of one set of controls together, and hold every vertex', () => {
    const { groups, count } = groupByControls(rig.weights, graph, areas, Number.POSITIVE_INFINITY);
    const set = (i: number) =>
      Array.from({ length: rig.weights.slots }, (_, s) => i * rig.weights.slots + s)
        .filter((k) => rig.weights.weights[k] > 0.01)
        .map((k) => rig.weights.bones[k])
        .sort((a, b) => a - b)
        .join();
    const sets = new Map<number, string>();
    groups.forEach((group, i) => {
      expect(sets.get(group) ?? set(i)).toBe(set(i));
      sets.set(group, set(i));
    });
    expect(new Set(sets.values()).size).toBe(count);
  });

  it('are joined down to as many as are wanted, touching ones first', () => {
    for (const most of [25, 7, 1]) {
      const { groups, count, graph: touching } = groupByControls(rig.weights, graph, areas, most);
      expect(count).toBe(most);
      expect(new Set(groups).size).toBe(most);
      expect(touching.starts.length).toBe(most + 1);
    }
  });
});

describe('a poser', () => {
  it('is valid, and has the examples in its gradients exactly', () => {
    const poser = buildPoser({ rig, clip }, { proxies: 30 });
    validatePoser(poser);
    expect(proxyCount(poser)).toBe(30);
    expect(poser.proxyWeights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('takes gradients of the meshes where they are given: nearly the model’s own, for the model’s own frames', () => {
    const own = buildPoser({ rig, clip }, { proxies: 30 });
    const measured = buildPoser({ rig, clip, examples: sequence }, { proxies: 30 });
    let [difference, size] = [0, 0];
    own.exampleLogs.forEach((value, k) => {
      const weight = own.proxyWeights[Math.floor(k / 3) % 30];
      difference += weight * (value - measured.exampleLogs[k]) ** 2;
      size += weight * value ** 2;
    });
    expect(Math.sqrt(difference / size)).toBeLessThan(0.15);
  });

  it('refuses what does not fit together', () => {
    expect(() => buildPoser({ rig, clip }, { proxies: 0 })).toThrow(UsageError);
    expect(() => buildPoser({ rig, clip }, { names: ['one'] })).toThrow(UsageError);
    expect(() => buildPoser({ rig, clip: { ...clip, transforms: clip.transforms.slice(12) } })).toThrow(InputError);
    const short = {
      ...sequence,
      times: sequence.times.slice(1),
      frames: sequence.frames.slice(rig.mesh.positions.length),
    };
    expect(() => buildPoser({ rig, clip, examples: short })).toThrow(/one mesh per example/);
    expect(() => buildPoser({ rig, clip }, { gradients: 'meshes' })).toThrow(UsageError);
  });
});
