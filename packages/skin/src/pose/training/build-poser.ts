/**
 * Builds a reduced deformable model from a decomposition of example shapes: gradients of the weights, proxies, and the
 * rotation and stretch of each proxy in every example.
 *
 * The examples' gradients are by default those of the model itself, G t_e with the controls t_e of the decomposition, so
 * that the blend of a single example reproduces it (distortion of the horse 0.4 %; gradients of the example meshes give
 * 1.7 %, and the paper has 3.0 %).
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006.
 */
import {
  type Clip,
  checkCancelled,
  frameAt,
  frameCount,
  InputError,
  type MeshSequence,
  type Poser,
  poseAt,
  type Rig,
  type RunContext,
  resolveOptions,
  stageOf,
  UsageError,
  unweldPoser,
  validateClip,
  validateMeshSequence,
  validatePoser,
  validateRig,
  vertexCount,
  weldRig,
  weldSequence,
} from '@pelt/model';
import { DeformationGradients, splitGradients } from '../../shared/gradients/deformation-gradients.ts';
import { packStretch } from '../../shared/gradients/pack-stretch.ts';
import { LogUnwrapper } from '../../shared/gradients/unwrap-logs.ts';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { BUILD_POSER_DEFAULTS, type BuildPoserOptions } from '../options.ts';
import { relativeFrame, relativePositions, unknownsOf } from '../runtime/relative-frame.ts';
import { type GradientRows, meanRows, prunedRows, vertexGradientRows } from '../runtime/weight-gradients.ts';
import { findRegions } from './body-regions.ts';
import { centroidRows } from './centroid-rows.ts';
import { learnDetails } from './example-details.ts';
import { mirrorHelps } from './mirror-choice.ts';
import { mirroredTransforms } from './mirrored-examples.ts';
import { type Grouping, groupByControls, groupEach } from './proxies.ts';
import { proxyGradients } from './proxy-gradients.ts';
import { splitGroups } from './split-groups.ts';

/** Blocks below this fraction of a row's largest are left to the deviation within the group. */
const LEAST_BLOCK = 0.003;

/** What a poser is built from. */
export interface PoserExamples {
  /** The mesh at rest, n vertices, with weights over m controls. */
  readonly rig: Rig;
  /** Controls of the E examples, rest → example. */
  readonly clip: Clip;
  /** The E example meshes, for their details or their gradients. */
  readonly examples?: MeshSequence | undefined;
}

/**
 * Builds a poser, a character that is posed by dragging points of its skin. Where example meshes are given, seams (the
 * vertices that coincide in all of them) are welded, and restored in the result.
 *
 * @example
 * {@includeCode ../../../examples/build-poser.ts}
 */
export function buildPoser(data: PoserExamples, options?: Partial<BuildPoserOptions>, run?: RunContext): Poser {
  const resolved = resolveOptions('buildPoser', BUILD_POSER_DEFAULTS, options);
  const { rig, clip, examples } = data;
  check(data, resolved);
  const weld = examples && weldSequence(examples);
  if (!weld || weld.sequence === examples) return build(rig, clip, examples, resolved, run);
  const { regions } = resolved;
  // A welded vertex has the label of one of those that it stands for.
  const labels = typeof regions === 'number' ? regions : weldLabels(regions, weld.map, vertexCount(weld.sequence.rest));
  const welded = build(weldRig(rig, weld), clip, weld.sequence, { ...resolved, regions: labels }, run);
  const poser = unweldPoser(welded, weld.map, rig.mesh);
  validatePoser(poser);
  return poser;
}

function weldLabels(labels: Uint16Array, map: Uint32Array, n: number): Uint16Array {
  const out = new Uint16Array(n);
  map.forEach((welded, i) => {
    out[welded] = labels[i];
  });
  return out;
}

function check({ rig, clip, examples }: PoserExamples, options: BuildPoserOptions): void {
  const { proxies, names, gradients, regions, mirror } = options;
  if (!(proxies >= 1)) throw new UsageError(`buildPoser: ${proxies} proxies; give a number from 1 on`);
  if (typeof regions === 'number' ? !(regions >= 1) : regions.length !== vertexCount(rig.mesh)) {
    const given = typeof regions === 'number' ? regions : `${regions.length} labels`;
    throw new UsageError(`buildPoser: regions is ${given}; give a number from 1 on, or a label for each vertex`);
  }
  if (mirror && gradients === 'meshes') {
    throw new UsageError("buildPoser: mirrored examples have no meshes; give gradients 'model', or mirror: false");
  }
  validateRig(rig);
  validateClip(clip, rig.bones.length);
  const [n, E] = [vertexCount(rig.mesh), clip.times.length];
  if (n === 0) throw new InputError(`buildPoser: the mesh of rig '${rig.name}' has no vertices`);
  if (names && names.length !== E) {
    throw new UsageError(`buildPoser: ${names.length} names for ${E} examples; give one each`);
  }
  if (examples) {
    validateMeshSequence(examples);
    if (frameCount(examples) !== E || vertexCount(examples.rest) !== n) {
      throw new InputError(
        `buildPoser: ${frameCount(examples)} example meshes of ${vertexCount(examples.rest)} vertices, but controls of ` +
          `${E} examples and a rig of ${n} vertices; give one mesh per example`,
      );
    }
  } else if (gradients === 'meshes') {
    throw new UsageError("buildPoser: gradients of 'meshes' need the example meshes; give examples");
  }
}

function build(
  rig: Rig,
  given: Clip,
  examples: MeshSequence | undefined,
  { proxies, consecutive, names, details, gradients: source, proxyRows, regions: wanted, mirror }: BuildPoserOptions,
  run: RunContext | undefined,
): Poser {
  const clip = mirror ? withMirrored(rig, given, run) : given;
  const { positions, triangles } = rig.mesh;
  const n = vertexCount(rig.mesh);
  const E = clip.times.length;
  const frame = relativeFrame(positions);
  const x = relativePositions(frame, positions);
  const areas = vertexAreas(x, triangles);
  const graph = edgeGraph(triangles, n);
  run?.onProgress?.({ stage: 'finding proxies', fraction: 0 });
  const vertexRows = vertexGradientRows(x, rig.weights, graph, run);
  const controls = Array.from({ length: E }, (_, e) => {
    const unknowns = new Float64Array(12 * rig.bones.length);
    unknownsOf(frame, poseAt(clip, e, rig.bones.length).transforms, unknowns);
    return unknowns;
  });
  let grouping = proxies === Infinity ? groupEach(graph) : groupByControls(rig.weights, graph, areas, proxies, run);
  if (grouping.count < Math.min(proxies, n) && E > 0) {
    const features = gradientsOverExamples(vertexRows, controls, run);
    grouping = splitGroups(grouping, features, areas, graph, proxies, stageOf(run, 0.1, 0.5));
  }
  const means =
    proxyRows === 'centroid'
      ? centroidRows(vertexRows, x, rig.weights, grouping)
      : meanRows(vertexRows, grouping.groups, areas, grouping.count);
  const rows = grouping.count < n ? prunedRows(means, LEAST_BLOCK) : means;
  const unwrapper = new LogUnwrapper(grouping.graph);
  const meshGradients = source === 'meshes' && examples ? new MeshGradients(examples, grouping) : undefined;

  const p = grouping.count;
  const exampleLogs = new Float64Array(3 * p * E);
  const exampleStretches = new Float64Array(6 * p * E);
  const gradients = new Float64Array(9 * p);
  const [rotations, stretches] = [new Float64Array(9 * p), new Float64Array(9 * p)];
  let previous: Float64Array | undefined;
  for (let e = 0; e < E; e++) {
    checkCancelled(run);
    if (meshGradients) meshGradients.of(e, gradients);
    else proxyGradients(rows, controls[e], gradients);
    splitGradients(gradients, rotations, stretches);
    const logs = unwrapper.unwrap(rotations, consecutive && e !== given.times.length ? previous : undefined);
    previous = logs;
    exampleLogs.set(logs, 3 * p * e);
    for (let k = 0; k < p; k++) packStretch(stretches, 9 * k, exampleStretches, 6 * (p * e + k));
    run?.onProgress?.({ stage: 'learning examples', fraction: 0.5 + (0.5 * (e + 1)) / E });
  }
  const proxyWeights = new Float64Array(p);
  areas.forEach((area, i) => {
    proxyWeights[grouping.groups[i]] += area;
  });
  const own = names ?? Array.from(given.times, (_, e) => String(e + 1));
  const undivided: Poser = {
    name: rig.name,
    rig,
    ...frame,
    vertexProxies: grouping.groups,
    proxyWeights,
    blockStarts: rows.starts,
    blockControls: rows.controls,
    blocks: rows.blocks,
    exampleNames: E === own.length ? own : [...own, ...own.map((name) => `${name} mirrored`)],
    exampleLogs,
    exampleStretches,
    exampleTransforms: clip.transforms.slice(),
    exampleDetails: details && examples ? learnDetails(rig, given, examples, run) : [],
  };
  const regions = findRegions(undivided, wanted);
  const poser: Poser = regions ? { ...undivided, regions } : undivided;
  validatePoser(poser);
  return poser;
}

/** The examples and, where the character is symmetric and they help, their mirror images. */
function withMirrored(rig: Rig, clip: Clip, run: RunContext | undefined): Clip {
  const mirrored = mirroredTransforms(rig, clip, run);
  if (!mirrored) return clip;
  const E = clip.times.length;
  if (!mirrorHelps(rig, clip, { ...clip, transforms: mirrored })) return clip;
  const transforms = new Float64Array(2 * clip.transforms.length);
  transforms.set(clip.transforms);
  transforms.set(mirrored, clip.transforms.length);
  return { ...clip, times: Float64Array.from({ length: 2 * E }, (_, e) => e), transforms };
}

/** n × 9E: the gradients of every vertex in all examples. */
function gradientsOverExamples(
  rows: GradientRows,
  controls: readonly Float64Array[],
  run: RunContext | undefined,
): Float32Array {
  const n = rows.starts.length - 1;
  const d = 9 * controls.length;
  const out = new Float32Array(n * d);
  const gradients = new Float64Array(9 * n);
  controls.forEach((unknowns, e) => {
    checkCancelled(run);
    proxyGradients(rows, unknowns, gradients);
    for (let i = 0; i < n; i++) out.set(gradients.subarray(9 * i, 9 * i + 9), i * d + 9 * e);
  });
  return out;
}

/** Gradients of the example meshes: the mean over the triangles around the vertices of each group. */
class MeshGradients {
  readonly #examples: MeshSequence;
  readonly #gradients: DeformationGradients;
  readonly #each: Float64Array<ArrayBuffer>;
  readonly #groups: Uint32Array;
  readonly #totals: Float64Array<ArrayBuffer>;

  constructor(examples: MeshSequence, { groups, count }: Grouping) {
    this.#examples = examples;
    this.#gradients = new DeformationGradients(examples.rest.positions, examples.rest.triangles);
    this.#each = new Float64Array(9 * this.#gradients.count);
    this.#groups = groups;
    this.#totals = new Float64Array(count);
  }

  of(e: number, out: Float64Array<ArrayBuffer>): void {
    const { triangles, areas } = this.#gradients;
    const totals = this.#totals.fill(0);
    this.#gradients.of(frameAt(this.#examples, e), this.#each);
    out.fill(0);
    for (let k = 0; k < triangles.length; k++) {
      const t = Math.floor(k / 3);
      const group = this.#groups[triangles[k]];
      totals[group] += areas[t];
      for (let c = 0; c < 9; c++) out[9 * group + c] += areas[t] * this.#each[9 * t + c];
    }
    // A group without area has no gradient, and next to no weight.
    for (let k = 0; k < out.length; k++) {
      const total = totals[Math.floor(k / 9)];
      out[k] = total > 0 ? out[k] / total : (k % 9) % 4 === 0 ? 1 : 0;
    }
  }
}
