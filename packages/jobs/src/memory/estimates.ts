/**
 * What a command needs at its peak, from the sizes of its input: one estimate per command, linear in what grows with
 * them. Coefficients are fitted to the peaks of real runs, which `npm run bench -- formats` measures again; an estimate
 * should be between 0.7 and 1.5 of the peak.
 */
import type { CommandName } from '../commands.ts';

export interface JobSizes {
  /** n, vertices of the largest mesh */
  readonly vertices: number;
  /** S, frames of all animations together */
  readonly frames: number;
  /** Bytes of the positions of all frames, 12 n S. */
  readonly positions: number;
  /** m, bones that are asked for */
  readonly bones: number;
  readonly threads: number;
  /** Extension of the output, in lower case; empty where there is none. */
  readonly format: string;
}

interface Coefficients {
  /** Bytes for the engine and the program. */
  readonly start: number;
  /** Bytes per vertex: meshes, graphs, weights, what a solver keeps. */
  readonly vertex: number;
  /** Bytes per frame: bases of trajectories, objects of a file; less beyond `MANY_FRAMES`. */
  readonly frame: number;
  /** Bytes per byte of positions. */
  readonly position: number;
}

const [KB, MB] = [2 ** 10, 2 ** 20];
/** A basis of trajectories is found from a sample of vertices; of a long animation it grows slowly. */
const MANY_FRAMES = 250;
const BEYOND = 0.1;
/** An instance of the kernels in a thread of its own. */
const THREAD = 6 * MB;
/** Transforms of a bone in a frame, as the solver, the result and the file hold them. */
const TRANSFORM = 3 * 96;

const FIT: Coefficients = { start: 73 * MB, vertex: 1.55 * KB, frame: 0.3 * MB, position: 1 };

/** Bytes per vertex of the whole mesh in a fit in chunks. */
const CHUNKED_VERTEX = 0.5 * KB;
/** A chunk: bytes per vertex, per vertex and frame (positions and coefficients), and the most that it takes. */
const [CHUNK_VERTEX, CHUNK_FRAME, MOST_OF_CHUNK] = [0.8 * KB, 36, 500 * MB];

/** Beside the frames, which are in memory, the file is; in parts only a part of both. */
const CONVERT: Readonly<Record<string, Coefficients>> = {
  glb: { start: 70 * MB, vertex: 1.1 * KB, frame: 0.15 * MB, position: 4.5 },
  abc: { start: 70 * MB, vertex: 0, frame: 0, position: 2 },
  mdd: { start: 70 * MB, vertex: 0, frame: 0, position: 2 },
  pc2: { start: 70 * MB, vertex: 0, frame: 0, position: 1.3 },
  frames: { start: 100 * MB, vertex: 0.2 * KB, frame: 0, position: 1 },
};

export const ESTIMATES: { readonly [C in CommandName]: (sizes: JobSizes) => number } = {
  info: linear({ start: 65 * MB, vertex: 0, frame: 0, position: 1 }),
  convert: (sizes) => linear(CONVERT[sizes.format] ?? CONVERT.frames)(sizes),
  // Beside the frames, what is sent to the page.
  view: linear({ start: 80 * MB, vertex: 0.3 * KB, frame: 0, position: 2.5 }),
  compare: linear({ start: 65 * MB, vertex: 0, frame: 0, position: 1 }),
  fit: solved(FIT),
  skeleton: solved({ ...FIT, start: 83 * MB, vertex: 3.75 * KB }),
  // Several fits after each other, with copies of the frames.
  study: solved({ ...FIT, start: 95 * MB, vertex: 4 * KB, position: 2.5 }),
  // Examples count beside what the rig itself plays.
  reduce: solved({ start: 73 * MB, vertex: 2.3 * KB, frame: 0.17 * MB, position: 1.5 }),
  sliders: solved({ start: 80 * MB, vertex: 2.5 * KB, frame: 0.3 * MB, position: 4 }),
  envelope: solved({ start: 73 * MB, vertex: 30 * KB, frame: 0.8 * MB, position: 1 }),
  volume: solved({ start: 98 * MB, vertex: 9.5 * KB, frame: 0, position: 3 }),
  puppet: linear({ start: 80 * MB, vertex: 1 * KB, frame: 0, position: 0 }),
  clean: linear({ start: 80 * MB, vertex: 1 * KB, frame: 0, position: 0 }),
  pose: solved({ start: 73 * MB, vertex: 2.2 * KB, frame: 0.55 * MB, position: 2 }),
};

/** A fit in chunks: the mesh with its graph and what comes out, a fit of the sample, and one chunk. */
export function estimateChunks(sizes: JobSizes, sample: number): number {
  const S = sizes.frames;
  const kept = Math.min(sample, sizes.vertices);
  const chunk = Math.min(MOST_OF_CHUNK, (CHUNK_VERTEX + CHUNK_FRAME * S) * sizes.vertices);
  const whole = CHUNKED_VERTEX * sizes.vertices + chunk;
  return whole + ESTIMATES.fit({ ...sizes, vertices: kept, positions: 12 * kept * S });
}

function linear({ start, vertex, frame, position }: Coefficients) {
  return ({ vertices, frames, positions }: JobSizes) => {
    const weighted = Math.min(frames, MANY_FRAMES) + BEYOND * Math.max(0, frames - MANY_FRAMES);
    return start + vertex * vertices + frame * weighted + position * positions;
  };
}

/** With the kernels in threads, and bones. */
function solved(coefficients: Coefficients) {
  return (sizes: JobSizes) =>
    linear(coefficients)(sizes) + THREAD * sizes.threads + TRANSFORM * sizes.frames * sizes.bones;
}
