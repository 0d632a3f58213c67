/** The decomposition methods by the names that a command line knows them by; the first is the default. */
export const FIT_METHODS = ['ssdr', 'affine', 'sma', 'lssp'] as const;
export type FitMethod = (typeof FIT_METHODS)[number];

/** What of a given rig stays as it is. */
export const LOCKABLE = ['bones', 'weights'] as const;
export type Lockable = (typeof LOCKABLE)[number];

/** An error to reach: a plain number is E_RMS, one with a unit the root mean square distance of the vertices. */
export interface ErrorLimit {
  readonly value: number;
  /** Metres in the unit, for a glTF; absent for E_RMS. */
  readonly unit?: number;
}

/** Units of length, in metres, which is what a glTF's coordinates are. */
export const LENGTH_UNITS: Readonly<Record<string, number>> = { m: 1, cm: 0.01, mm: 0.001 };

/** Root motion that can be split off: all of it, or the way along the ground and the heading. */
export const ROOT_MOTIONS = ['full', 'ground'] as const;

/** One of several clips of a mesh. */
export interface NamedClip {
  readonly name: string;
  readonly files: readonly string[];
}
