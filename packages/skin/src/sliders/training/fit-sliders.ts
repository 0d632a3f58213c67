/**
 * Entry point: bones that follow sliders, from blend shapes,
 *
 *   p_i + Σ_s c_s δ_si ≈ Σ_j w_ij (I + Σ_s c_s N_sj) p̂_i,   w ≥ 0, Σ_j w_ij = 1, at most K non-zero weights per vertex,
 *
 * with most numbers of the N zero. Both sides are linear in the values c, so that the error of a mixture of sliders is the
 * mixture of their errors and nothing else. The fit starts from an affine decomposition of the shapes with half the
 * weights, whose bones stay local, and alternates between weights and maps while ever more numbers are dropped.
 *
 * Reference: Kavan, Sloan, O'Sullivan. Fast and efficient skinning of animated meshes. 2010 (affine bones, one matrix for
 * all frames).
 */
import { exp, log } from '@pelt/math';
import {
  type Bone,
  checkCancelled,
  InputError,
  interruptible,
  type Mesh,
  type MeshSequence,
  type Rig,
  type Run,
  resolveOptions,
  type Sliders,
  stageOf,
  UsageError,
  unweldRig,
  validateMeshSequence,
  vertexCount,
  weldSequence,
} from '@pelt/model';
import { decompose } from '../../decompose/decompose.ts';
import { packWeights } from '../../shared/pack-weights.ts';
import { SLIDER_DEFAULTS, type SliderOptions } from '../options.ts';
import { correctionsAbove, type SliderCorrections } from './corrections.ts';
import { mapMoments } from './map-moments.ts';
import { SliderSystem } from './slider-system.ts';
import { solveWeights } from './slider-weights.ts';
import { sparseMaps } from './sparse-maps.ts';

/** Blend shapes of one mesh. */
export interface SliderShapes {
  readonly mesh: Mesh;
  /** S, each once */
  readonly names: readonly string[];
  /** S × n × 3 positions with one slider fully on */
  readonly shapes: Float32Array;
}

/** A rig that follows sliders. */
export interface SliderFit {
  /** On the caller's vertices, at the mesh's own rest pose. Bone 0 holds what no slider moves; the others are its children. */
  readonly rig: Rig;
  readonly sliders: Sliders;
  /**
   * m × 4: units of the columns of each bone's maps. Rounding to them moves the surface as much in one column as in
   * another, and all of it by a little of the error of the fit.
   */
  readonly units: Float32Array;
  /** What bones leave above a limit, on the caller's vertices. */
  readonly corrections: SliderCorrections;
}

/** Rounds in which numbers are dropped, and rounds after them. */
const RAMP = 6;
const SETTLING = 20;
/** Rounds at the end in which weights have their price, so that maps make up for those that go. */
const PRICED = 4;
/** Share of the weights that the decomposition starts with: fewer make bones that move few sliders. */
const START_WEIGHTS = 0.5;
/** Share of the squared error that rounding the maps in a file may add. */
const ROUNDING = 0.005;
/** Share of the progress that the decomposition takes. */
const DECOMPOSED = 0.3;

/**
 * Fits bones that follow sliders to blend shapes. Vertices that coincide in every shape are solved as one.
 *
 * @param input    mesh and shapes of S sliders
 * @param options  number of bones, weights per vertex and sparsity
 * @param run      kernels, cancelling and progress
 *
 * @example
 * {@includeCode ../../../examples/sliders.ts}
 */
export function fitSliders(input: SliderShapes, options: Partial<SliderOptions>, run: Run): SliderFit {
  const resolved = checkedOptions(options);
  const sequence = sequenceOf(input);
  return interruptible(run, () => {
    const weld = weldSequence(sequence);
    const system = startOf(weld.sequence, resolved, stageOf(run, 0, DECOMPOSED));
    descend(system, resolved, stageOf(run, DECOMPOSED, 1));
    const rms = Math.sqrt(system.meanSquares() / system.S);
    const corrections = correctionsAbove(system, resolved.correctAbove * rms);
    const rig: Rig = {
      name: input.mesh.name,
      mesh: weld.sequence.rest,
      bones: bonesOf(system),
      weights: packWeights(system.bones, system.weights, system.K),
    };
    return {
      rig: unweldRig(rig, weld.map, input.mesh),
      sliders: slidersOf(system, input.names),
      units: unitsOf(system, rms),
      corrections: unweldCorrections(corrections, weld.map, system.n),
    };
  });
}

function checkedOptions(options: Partial<SliderOptions>): SliderOptions {
  const resolved = resolveOptions('fitSliders', SLIDER_DEFAULTS, options);
  for (const [key, least] of [
    ['bones', 2],
    ['weights', 1],
  ] as const) {
    const value = resolved[key];
    if (!Number.isInteger(value) || value < least) {
      throw new UsageError(`fitSliders: ${key} is ${value}; it must be an integer of at least ${least}`);
    }
  }
  const { zeros, correctAbove, weightPrice } = resolved;
  if (!(zeros >= 0 && zeros < 1)) throw new UsageError(`fitSliders: zeros is ${zeros}; it must be in [0, 1)`);
  if (!(correctAbove >= 0))
    throw new UsageError(`fitSliders: correctAbove is ${correctAbove}; it must not be negative`);
  if (!(weightPrice >= 0)) throw new UsageError(`fitSliders: weightPrice is ${weightPrice}; it must not be negative`);
  return resolved;
}

/** Shapes as the frames of an animation. */
function sequenceOf({ mesh, names, shapes }: SliderShapes): MeshSequence {
  if (names.length === 0) throw new InputError('fitSliders: there are no sliders');
  const sequence: MeshSequence = {
    name: mesh.name,
    rest: mesh,
    times: Float64Array.from(names, (_, s) => s),
    frames: shapes,
  };
  validateMeshSequence(sequence);
  if (vertexCount(mesh) === 0) throw new InputError('fitSliders: the mesh has no vertices');
  return sequence;
}

/** An affine decomposition of the shapes, with a bone before its own that never moves. */
function startOf(sequence: MeshSequence, { bones, weights }: SliderOptions, run: Run): SliderSystem {
  const slots = Math.max(1, Math.round(START_WEIGHTS * weights));
  const wanted = { method: 'affine', bones: bones - 1, weights: slots, restPose: 'keep' } as const;
  const { rig } = decompose(sequence, wanted, run);
  const { rest } = sequence;
  const m = rig.bones.length + 1;
  const centres = new Float64Array(3 * m);
  const middle = [0, 0, 0];
  const n = vertexCount(rest);
  for (let k = 0; k < 3 * n; k++) middle[k % 3] += rest.positions[k] / n;
  centres.set(middle);
  rig.bones.forEach(({ rest: frame }, j) => {
    for (let c = 0; c < 3; c++) centres[3 * (j + 1) + c] = frame[4 * c + 3];
  });
  const skin = { ...rig.weights, bones: rig.weights.bones.map((j) => j + 1) };
  return new SliderSystem(rest.positions, sequence.frames, skin, centres, weights);
}

function descend(system: SliderSystem, { zeros, weightPrice }: SliderOptions, run: Run): void {
  const { R, D } = system;
  const rounds = RAMP + SETTLING;
  for (let round = 1; round <= rounds; round++) {
    checkCancelled(run);
    // Geometric: each round of the ramp drops the same share of what is left.
    const share = exp(log(1 - zeros) * Math.min(1, round / RAMP));
    const before = round === 1 ? undefined : system.maps;
    const kept = Math.floor(share * R * D);
    system.maps = sparseMaps(mapMoments(system), R, kept, before);
    solveWeights(system, { numerics: run.numerics, context: run }, round > rounds - PRICED ? weightPrice : 0);
    run.onProgress?.({ stage: 'fitting sliders', fraction: round / (rounds + 1), detail: `round ${round}` });
  }
  system.maps = sparseMaps(mapMoments(system), R, Math.floor((1 - zeros) * R * D), system.maps);
}

function bonesOf({ centres, m }: SliderSystem): Bone[] {
  const digits = String(m - 1).length;
  return Array.from({ length: m }, (_, j) => {
    const [x, y, z] = centres.subarray(3 * j, 3 * j + 3);
    return {
      name: j === 0 ? 'still' : `bone-${String(j).padStart(digits, '0')}`,
      parent: j === 0 ? -1 : 0,
      rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z),
    };
  });
}

function slidersOf({ S, m, D, maps }: SliderSystem, names: readonly string[]): Sliders {
  const starts = new Uint32Array(S + 1);
  const [bones, elements, values]: [number[], number[], number[]] = [[], [], []];
  for (let s = 0; s < S; s++) {
    for (let j = 0; j < m; j++) {
      for (let e = 0; e < 12; e++) {
        const value = maps[(3 * s + Math.floor(e / 4)) * D + 4 * j + (e % 4)];
        if (value === 0) continue;
        bones.push(j);
        elements.push(e);
        values.push(value);
      }
    }
    starts[s + 1] = values.length;
  }
  return {
    names,
    starts,
    bones: Uint16Array.from(bones),
    elements: Uint8Array.from(elements),
    values: Float32Array.from(values),
  };
}

/**
 * Rounding E numbers to units u_k adds Σ_k u_k² g_k / 12 to the sum of squared errors, g the diagonal of the maps' matrix.
 * That is least for a number of bits where all terms are alike.
 */
function unitsOf(system: SliderSystem, rms: number): Float32Array {
  const { n, S, D, maps } = system;
  const { gram } = mapMoments(system);
  const count = maps.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0) || 1;
  const each = (12 * ROUNDING * n * S * rms * rms) / count;
  return Float32Array.from({ length: D }, (_, k) => (gram[k * D + k] > 0 ? Math.sqrt(each / gram[k * D + k]) : 0));
}

/** @param map  the welded vertex of each of the caller's */
function unweldCorrections(corrections: SliderCorrections, map: Uint32Array, n: number): SliderCorrections {
  const copies: number[][] = Array.from({ length: n }, () => []);
  map.forEach((welded, i) => {
    copies[welded].push(i);
  });
  const starts = new Uint32Array(corrections.starts.length);
  const vertices: number[] = [];
  const displacements: number[] = [];
  for (let s = 0; s + 1 < starts.length; s++) {
    const moved: [vertex: number, from: number][] = [];
    for (let k = corrections.starts[s]; k < corrections.starts[s + 1]; k++) {
      for (const i of copies[corrections.vertices[k]]) moved.push([i, k]);
    }
    moved.sort((a, b) => a[0] - b[0]);
    for (const [i, k] of moved) {
      vertices.push(i);
      displacements.push(...corrections.displacements.subarray(3 * k, 3 * k + 3));
    }
    starts[s + 1] = vertices.length;
  }
  return { starts, vertices: Uint32Array.from(vertices), displacements: Float32Array.from(displacements) };
}
