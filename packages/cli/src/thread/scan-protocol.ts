/** What a job and the threads that scan its frames say to each other. */

/** Job → thread, when it starts. */
export interface ScanOrder {
  readonly paths: readonly string[];
  /** n, in every file */
  readonly vertices: number;
  /** One Int32: the next of the paths to be taken. */
  readonly next: SharedArrayBuffer;
}

/** Thread → job. */
export interface ScannedFrame {
  /** Which of the paths. */
  readonly k: number;
  /** n × 3 */
  readonly positions: Float32Array;
  readonly faces: number;
}

/** More than any number of files, with room to count on. */
export const STOPPED = 2 ** 30;
