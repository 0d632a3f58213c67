/** What a live performance needs of its host: frames that come in, and a place for the poses. */
import type { Motion, Rig } from '@pelt/model';

/** What is seen of a performer at one moment. */
export interface LiveFrame {
  /** J names, the same in every frame */
  readonly joints: readonly string[];
  /** J × 3, right-handed, +Y up */
  readonly positions: Float32Array;
  /** J, 0 to 1; absent: all are trusted */
  readonly confidence?: Float32Array;
  /** Seconds, increasing. */
  readonly time: number;
  readonly camera?: Motion['camera'];
  /** Sliders by name, 0 to 1, which are passed on. */
  readonly sliders?: Readonly<Record<string, number>>;
  /** When it came, in milliseconds of `performance.now`. */
  readonly received: number;
}

export interface LiveCharacter {
  readonly rig: Rig;
  /** Bones by the human bones of VRM. */
  readonly humanBones: Readonly<Record<string, number>>;
}

export interface LiveStreams {
  /** Where frames come from and poses go to, for people. */
  readonly addresses: readonly string[];
  /** Frames as they come, until the source or the user ends it. */
  readonly frames: AsyncIterable<LiveFrame>;
  /** @param transforms  m × 12, which the next frame overwrites */
  send(transforms: Float64Array, frame: LiveFrame): void;
  /** Ends what was opened, and writes what is written last. */
  close(): Promise<void>;
}

/**
 * Opens streams by their addresses.
 *
 * @param to  absent: poses go nowhere
 */
export type OpenStreams = (from: string, to: string | undefined, character: LiveCharacter) => Promise<LiveStreams>;
