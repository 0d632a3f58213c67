/**
 * The pose space of one character for another of different connectivity: every control of the second goes like the
 * control of the first that corresponds to it, and each of its proxies like the mixture of its controls.
 *
 * What is carried over is how controls turn and stretch, not where they go: the second character's own proportions
 * decide that, by the same least squares that poses it, as deformation transfer does for triangles. Both must rest in
 * about the same pose, along the same axes.
 *
 * References: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (section 5, as a wish).
 * Sumner, Popović. Deformation transfer for triangle meshes. 2004.
 */
import type { Numerics } from '@pelt/math';
import {
  type Bone,
  exampleCount,
  InputError,
  type Poser,
  type Rig,
  TRANSFORM_SIZE,
  UsageError,
  validatePoser,
  validateRig,
  vertexCount,
} from '@pelt/model';
import { edgeGraph } from '../../mesh/edge-graph.ts';
import { splitGradients } from '../../solve/deformation-gradients.ts';
import { LogUnwrapper } from '../../solve/unwrap-logs.ts';
import { packStretch, vertexAreas } from './build-poser.ts';
import { begin } from './pose-session.ts';
import { groupByControls } from './proxies.ts';
import { relativeFrame, relativePositions } from './relative-frame.ts';
import { meanRows, vertexGradientRows } from './weight-gradients.ts';

/** For each control of `rig` one of `source`: the one of its name, else the nearest in place within the bodies' boxes. */
export function matchControls(source: Rig, rig: Rig): Uint16Array {
  const names = new Map(source.bones.map(({ name }, j) => [name, j]));
  const from = placesOf(source);
  const to = placesOf(rig);
  return Uint16Array.from(rig.bones, ({ name }, j) => {
    const named = names.get(name);
    if (named !== undefined) return named;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    from.forEach((place, k) => {
      const away = place.reduce((sum, value, c) => sum + (value - to[j][c]) ** 2, 0);
      if (away < least) [best, least] = [k, away];
    });
    return best;
  });
}

/**
 * @param source    the character whose pose space is taken
 * @param rig       the character that shall have it, with weights of its own
 * @param controls  m: the source's control for each of the rig's; absent: `matchControls`
 * @param proxies   most proxies
 */
export function transferPoser(
  source: Poser,
  rig: Rig,
  numerics: Numerics,
  controls: Uint16Array = matchControls(source.rig, rig),
  proxies = 500,
): Poser {
  validatePoser(source);
  validateRig(rig);
  const n = vertexCount(rig.mesh);
  const m = rig.bones.length;
  if (n === 0) throw new InputError('transferPoser: the mesh has no vertices');
  if (controls.length !== m)
    throw new UsageError(`transferPoser: ${controls.length} correspondences for ${m} controls`);
  const wrong = controls.find((j) => j >= source.rig.bones.length);
  if (wrong !== undefined) throw new UsageError(`transferPoser: the source has no control ${wrong}`);
  const frame = relativeFrame(rig.mesh.positions);
  const x = relativePositions(frame, rig.mesh.positions);
  const areas = vertexAreas(x, rig.mesh.triangles);
  const graph = edgeGraph(rig.mesh.triangles, n);
  const { groups, count: p, graph: touching } = groupByControls(rig.weights, graph, areas, proxies);
  const rows = meanRows(vertexGradientRows(x, rig.weights, graph), groups, areas, p);
  const proxyWeights = new Float64Array(p);
  areas.forEach((area, i) => {
    proxyWeights[groups[i]] += area;
  });
  const E = exampleCount(source);
  const shares = meanWeights(rig, groups, areas, p);
  const unwrapper = new LogUnwrapper(touching);
  const exampleLogs = new Float64Array(3 * p * E);
  const exampleStretches = new Float64Array(6 * p * E);
  const [gradients, rotations, stretches] = [0, 1, 2].map(() => new Float64Array(9 * p));
  for (let e = 0; e < E; e++) {
    gradients.fill(0);
    for (let k = 0; k < p; k++) {
      for (let j = 0; j < m; j++) {
        const share = shares[k * m + j];
        if (share === 0) continue;
        const at = TRANSFORM_SIZE * (e * source.rig.bones.length + controls[j]);
        for (let c = 0; c < 9; c++) {
          gradients[9 * k + c] += share * source.exampleTransforms[at + 4 * Math.floor(c / 3) + (c % 3)];
        }
      }
    }
    splitGradients(gradients, rotations, stretches);
    exampleLogs.set(unwrapper.unwrap(rotations), 3 * p * e);
    for (let k = 0; k < p; k++) packStretch(stretches, 9 * k, exampleStretches, 6 * (p * e + k));
  }
  const poser: Poser = {
    name: rig.name,
    rig,
    ...frame,
    vertexProxies: groups,
    proxyWeights,
    blockStarts: rows.starts,
    blockControls: rows.controls,
    blocks: rows.blocks,
    exampleNames: source.exampleNames,
    exampleLogs,
    exampleStretches,
    exampleTransforms: new Float64Array(TRANSFORM_SIZE * m * E),
  };
  // Where the controls are in each example is what posing makes of it.
  const session = begin(poser, numerics);
  const exampleTransforms = poser.exampleTransforms.slice();
  for (let e = 0; e < E; e++) {
    session.setBlend(Float64Array.from({ length: E }, (_, k) => (k === e ? 1 : 0)));
    exampleTransforms.set(session.pose().transforms, TRANSFORM_SIZE * m * e);
  }
  return { ...poser, exampleTransforms };
}

/** Each control's origin within the box around the mesh, 0 to 1 along every axis that has an extent. */
function placesOf({ mesh, bones }: Rig): number[][] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  mesh.positions.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value);
    high[k % 3] = Math.max(high[k % 3], value);
  });
  return bones.map(({ rest }: Bone) =>
    [0, 1, 2].map((c) => (high[c] > low[c] ? (rest[4 * c + 3] - low[c]) / (high[c] - low[c]) : 0)),
  );
}

/** p × m: how much of each proxy's surface goes with each control. */
function meanWeights({ weights: skin, bones }: Rig, groups: Uint32Array, areas: Float64Array, p: number): Float64Array {
  const m = bones.length;
  const out = new Float64Array(p * m);
  const totals = new Float64Array(p);
  for (let i = 0; i < groups.length; i++) {
    totals[groups[i]] += areas[i];
    for (let s = i * skin.slots; s < (i + 1) * skin.slots; s++) {
      out[groups[i] * m + skin.bones[s]] += areas[i] * skin.weights[s];
    }
  }
  return out.map((value, k) => value / totals[Math.floor(k / m)]);
}
