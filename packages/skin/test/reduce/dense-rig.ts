/** The walking creature with weights on all its bones: what a reduction starts from, made by plain blurring. */
import type { Clip, MeshSequence, Rig, SkinWeights } from '@pelt/model';
import { type CreatureOptions, creatureScene } from '@pelt/testkit';
import { edgeGraph } from '../../src/shared/mesh/edge-graph.ts';

export interface DenseRig {
  readonly rig: Rig;
  readonly clip: Clip;
  readonly sequence: MeshSequence;
}

/** @param passes  how often weights are averaged with the neighbours': each reaches one ring further */
export function denseCreature(passes = 6, scene: Partial<CreatureOptions> = { frames: 12, detail: 0.07 }): DenseRig {
  const { rig, clip, sequence } = creatureScene(scene);
  const n = rig.mesh.positions.length / 3;
  return { rig: { ...rig, weights: blurred(rig, n, passes) }, clip, sequence };
}

function blurred(rig: Rig, n: number, passes: number): SkinWeights {
  const m = rig.bones.length;
  const { slots, bones, weights } = rig.weights;
  let rows = new Float64Array(n * m);
  for (let k = 0; k < bones.length; k++) rows[Math.floor(k / slots) * m + bones[k]] += weights[k];
  const { starts, neighbours } = edgeGraph(rig.mesh.triangles, n);
  for (let pass = 0; pass < passes; pass++) {
    const next = rows.slice();
    for (let i = 0; i < n; i++) {
      const count = starts[i + 1] - starts[i];
      for (let j = 0; j < m; j++) {
        let sum = rows[i * m + j] * count;
        for (let e = starts[i]; e < starts[i + 1]; e++) sum += rows[neighbours[e] * m + j];
        next[i * m + j] = count > 0 ? sum / (2 * count) : rows[i * m + j];
      }
    }
    rows = next;
  }
  const dense = { slots: m, bones: new Uint16Array(n * m), weights: new Float32Array(n * m) };
  for (let i = 0; i < n; i++) {
    const row = rows.subarray(i * m, (i + 1) * m);
    const order = [...row.keys()].filter((j) => row[j] > 1e-7).sort((a, b) => row[b] - row[a]);
    const total = order.reduce((sum, j) => sum + row[j], 0);
    order.forEach((j, s) => {
      dense.bones[i * m + s] = j;
      dense.weights[i * m + s] = row[j] / total;
    });
    const others = dense.weights.subarray(i * m + 1, (i + 1) * m).reduce((sum, w) => sum + w, 0);
    dense.weights[i * m] = 1 - others;
  }
  return dense;
}
