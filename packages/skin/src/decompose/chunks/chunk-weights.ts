/**
 * Weights and rest positions of one chunk for bones that are known: for every vertex minimise
 * Σ_t ‖v_ti − Σ_j w_ij M_tj p̂_i‖² over w ≥ 0, Σw = 1 with at most K non-zeros, and over p_i.
 *
 * The problem of a vertex is its own. Only the search for its support looks around: it starts from the weights of the
 * sampled vertex that is nearest along edges, where many rounds have found a good one; tries the supports of the samples
 * next to that; and then those of its neighbours, keeping what is better each time. Every try of neighbours reaches one
 * ring further, so that a halo of as many rings gives a chunk the bits of the whole mesh, however it is cut.
 *
 * Tried and left out: docs/experiments/ssdr.md.
 */
import { SkinningSystem } from '@pelt/kernels';
import {
  checkCancelled,
  type FrameReader,
  gatherVertices,
  interruptible,
  type Run,
  type SkinWeights,
} from '@pelt/model';
import { packWeights } from '../../shared/pack-weights.ts';
import { WeightSteps } from '../../shared/search/weight-steps.ts';
import { projectFrames, restToModel, restToSolver } from '../../shared/solver-space.ts';
import { BetterOfTwo } from './better-of-two.ts';
import type { Chunk, ChunkedMesh } from './chunked-mesh.ts';
import type { FoundBones } from './find-bones.ts';
import { SampleSupports } from './sample-supports.ts';

/** Rings of neighbours whose supports reach a vertex, one for each round of tries. */
export const HALO_RINGS = 2;
/** Most swaps of a vertex in one search. */
const MOST_SWAPS = 8;
/** Samples next to the nearest one whose supports are tried. */
const MOST_TRIED = 6;
/** Final rounds on fixed supports. */
const SETTLING = 6;

export interface ChunkWeights {
  /** Welded vertices of the chunk, increasing. */
  readonly vertices: Uint32Array;
  /** Rest positions of these vertices, in model space. */
  readonly positions: Float32Array;
  readonly weights: SkinWeights;
}

/** Solves the vertices at the places `from` to `to` of a chunked mesh. */
export function solveChunk(
  reader: FrameReader,
  mesh: ChunkedMesh,
  found: FoundBones,
  { from, to }: { readonly from: number; readonly to: number },
  run: Run,
): ChunkWeights {
  const chunk = mesh.chunk(from, to, HALO_RINGS);
  return interruptible(run, () => {
    const system = systemOf(reader, mesh, chunk, found, run);
    const steps = new WeightSteps(run.numerics, chunk.graph, system.K);
    const better = new BetterOfTwo(run.numerics, system);
    const supports = new SampleSupports(run.numerics, system, mesh, chunk, found, reader.rest.positions);
    supports.start();
    const settle = () => {
      checkCancelled(run);
      steps.swap(system, 'thorough', MOST_SWAPS);
      system.correctRest(found.restStiffness);
    };
    settle();
    for (let k = 0; k < MOST_TRIED; k++) {
      checkCancelled(run);
      better.attempt(() => supports.tryNeighbour(k));
    }
    for (let ring = 0; ring < HALO_RINGS; ring++) {
      settle();
      better.attempt(() => {
        steps.diffuse(system);
        steps.swap(system, 'thorough', MOST_SWAPS);
      });
    }
    for (let round = 0; round < SETTLING; round++) {
      checkCancelled(run);
      system.correctRest(found.restStiffness);
      steps.settle(system);
    }
    const result = ownedOf(system, chunk, found);
    supports.dispose();
    better.dispose();
    steps.dispose();
    system.dispose();
    return result;
  });
}

/** The system of a chunk and its halo, with the bones in place and no weights. */
function systemOf(
  reader: FrameReader,
  { weld }: ChunkedMesh,
  chunk: Chunk,
  found: FoundBones,
  run: Run,
): SkinningSystem {
  const { space, basis, bones, slots, transforms } = found;
  const vertices = Uint32Array.from(chunk.vertices, (i) => weld.first[i]);
  const size = 3 * vertices.length;
  const S = reader.times.length;
  const frames = new Float32Array(S * size);
  for (let t = 0; t < S; t++) {
    checkCancelled(run);
    reader.readFrame(t, frames.subarray(t * size, (t + 1) * size), vertices);
  }
  const { coefficients, squaredNorms } = projectFrames(frames, space, basis, run.numerics, run);
  const rest = restToSolver(gatherVertices(reader.rest.positions, 3, vertices), space);
  const system = new SkinningSystem(run.numerics, { rest, basis, coefficients, squaredNorms }, bones.length, slots);
  system.editTransforms().set(transforms);
  return system;
}

function ownedOf(system: SkinningSystem, { vertices, owned }: Chunk, { space }: FoundBones): ChunkWeights {
  const chosen = Uint32Array.from(owned.keys()).filter((k) => owned[k] === 1);
  const bones = gatherVertices(system.boneIndices.view, system.K, chosen);
  const weights = gatherVertices(system.weights.view, system.K, chosen);
  return {
    vertices: gatherVertices(vertices, 1, chosen),
    positions: restToModel(gatherVertices(system.rest.view, 3, chosen), space),
    weights: packWeights(bones, weights, system.K),
  };
}
