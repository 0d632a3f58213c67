import { describe, expect, it } from 'vitest';
import { relativeFrame, relativePositions, unknownsOf } from '../../../src/pose/runtime/relative-frame.ts';
import { meanRows, vertexGradientRows } from '../../../src/pose/runtime/weight-gradients.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { centroidRows } from '../../../src/pose/training/centroid-rows.ts';
import { groupByControls, groupEach } from '../../../src/pose/training/proxies.ts';
import { proxyGradients } from '../../../src/pose/training/proxy-gradients.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../../src/shared/mesh/vertex-areas.ts';
import { creatureExamples } from '../scenes.ts';

const { rig, clip } = creatureExamples(4);
const m = rig.bones.length;
const frame = relativeFrame(rig.mesh.positions);
const x = relativePositions(frame, rig.mesh.positions);
const graph = edgeGraph(rig.mesh.triangles, x.length / 3);
const rows = vertexGradientRows(x, rig.weights, graph);
const areas = vertexAreas(x, rig.mesh.triangles);

describe('centroid rows', () => {
  it('are the rows of the vertices where each is a proxy of its own', () => {
    const each = groupEach(graph);
    const centred = centroidRows(rows, x, rig.weights, each);
    const means = meanRows(rows, each.groups, areas, each.count);
    centred.blocks.forEach((value, k) => {
      expect(value).toBeCloseTo(means.blocks[k], 10);
    });
  });

  it('give a common rigid motion of all controls its rotation', () => {
    const grouping = groupByControls(rig.weights, graph, areas, 20);
    const turned = [0, -1, 0, 0.3, 1, 0, 0, -0.2, 0, 0, 1, 0.1];
    const unknowns = new Float64Array(12 * m);
    unknownsOf(frame, Array.from({ length: m }, () => turned).flat(), unknowns);
    const gradients = new Float64Array(9 * grouping.count);
    proxyGradients(centroidRows(rows, x, rig.weights, grouping), unknowns, gradients);
    gradients.forEach((value, k) => {
      const [r, c] = [Math.floor((k % 9) / 3), k % 3];
      expect(value).toBeCloseTo(turned[4 * r + c], 6);
    });
  });

  it('are what a poser has where they are asked for', () => {
    const [mean, centroid] = (['mean', 'centroid'] as const).map((proxyRows) =>
      buildPoser({ rig, clip }, { proxies: 20, proxyRows }),
    );
    expect(centroid.proxyWeights).toEqual(mean.proxyWeights);
    expect(centroid.blocks).not.toEqual(mean.blocks);
  });
});
