import type { RunContext } from '@pelt/model';
import type { Files } from './files/files.ts';
import type { OpenedFiles } from './input/opened-files.ts';
import type { JobOutputs } from './outputs/file-guard.ts';
import type { OpenStreams } from './puppet/live-streams.ts';
import type { SceneDrawer } from './view/draw-scene.ts';

/** Told of files that the host scans for a job. */
export interface ScanWatcher {
  /** When it is aborted no further file is opened. */
  readonly signal?: RunContext['signal'];
  /**
   * @param k          which of the paths
   * @param positions  n × 3
   * @param faces      as `scanObjFrame` of @pelt/io returns it
   */
  scanned(k: number, positions: Float32Array, faces: number): void;
}

/**
 * Scans OBJ files by `scanObjFrame` of @pelt/io in threads of the host, in any order. Files that it cannot scan, and others
 * after them, it may leave out: the job then reads them itself, and so finds out what is wrong with them.
 *
 * @param vertices  n, in every file
 */
export type ScanFrames = (paths: readonly string[], vertices: number, watcher: ScanWatcher) => Promise<void>;

/** What the work of a command gets from whoever runs it. */
export interface Job {
  readonly files: Files;
  readonly outputs: JobOutputs;
  readonly context: RunContext;
  /** Scans OBJ frames in threads; absent where the host has none for it. */
  readonly scanFrames?: ScanFrames | undefined;
  /** Draws scenes; absent where the host cannot. */
  readonly drawScene?: SceneDrawer | undefined;
  /** Opens streams of a live performance; absent where the host has no network. */
  readonly openStreams?: OpenStreams | undefined;
  /** Files that were opened before, by this job or for it; absent: every reading opens its own. */
  readonly opened?: OpenedFiles | undefined;
  /** Refuses, before it is read, an animation that the job would need too much memory for. */
  expectFrames(vertices: number, frames: number): void;
  /** Whether an animation would fit into the memory that the job may use. */
  hasRoomFor(vertices: number, frames: number): boolean;
  /** The same as `expectFrames` for a fit in chunks, of which only a sample of the vertices is kept. */
  expectChunks(vertices: number, frames: number, sample: number): void;
  /** Whether the result may not depend on the machine, as on a farm. */
  readonly portable: boolean;
  /** Tells of something that was mended, skipped or lost; the report lists it too. */
  warn(message: string): void;
  /** Most threads to use; the result does not depend on it. */
  readonly threads: number;
}

/** Seconds that an action took, and what it gave. */
export async function timed<T>(action: () => T | Promise<T>): Promise<[result: T, seconds: number]> {
  const started = performance.now();
  const result = await action();
  return [result, (performance.now() - started) / 1000];
}
