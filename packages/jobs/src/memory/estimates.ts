/**
 * What a command needs at its peak, from the sizes of its input: one estimate per command. Coefficients are fitted to the
 * peaks of real runs, which `npm run bench -- formats` measures again; an estimate is between 0.7 and 1.5 of the peak.
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

const MEGABYTE = 1e6;
/** The engine and the program. */
const START = 60 * MEGABYTE;
/** A mesh with its graph and attributes, per vertex. */
const MESH = 400;

export const ESTIMATES: { readonly [C in CommandName]: (sizes: JobSizes) => number } = {
  info: ({ vertices }) => START + MESH * vertices,
  convert: ({ vertices, positions, format }) =>
    START + MESH * vertices + positions * (1 + (WRITTEN[format] ?? WRITTEN.frames)),
  compare: ({ vertices, positions }) => START + MESH * vertices + positions,
  fit: fitting,
  skeleton: fitting,
  reduce: ({ vertices, positions }) => START + MESH * vertices + 3 * positions,
  envelope: ({ vertices, positions }) => START + MESH * vertices + 4 * positions,
  volume: ({ vertices, positions }) => START + MESH * vertices + 2 * positions,
  puppet: ({ vertices }) => START + MESH * vertices,
  pose: ({ vertices, positions }) => START + MESH * vertices + 4 * positions,
};

/** What a written file takes beside the frames, in positions: it is made in memory. Frames of their own are small. */
const WRITTEN: Readonly<Record<string, number>> = { pc2: 1, mdd: 1, abc: 1, glb: 2, frames: 0 };

function fitting({ vertices, frames, positions, bones }: JobSizes): number {
  return START + MESH * vertices + positions + 96 * frames * bones;
}
