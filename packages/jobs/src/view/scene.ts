/**
 * What `pelt view` shows: plain data, made from files by the job and drawn by a page. Everything that moves is kept in
 * the form that is smallest: the transforms of bones, the weights of morph targets, or positions where there is nothing
 * better.
 */

export interface ViewScene {
  readonly title: string;
  /** Side by side; the original first, where there is one. */
  readonly subjects: readonly ViewSubject[];
  readonly look: ViewLook;
  readonly camera: ViewCamera;
  readonly picture: ViewPicture;
}

export interface ViewLook {
  /** Colour by the distance to the original; in per cent of its diagonal the scale ends here. */
  readonly heat: number | undefined;
  readonly weights: boolean;
  readonly bones: boolean;
  readonly edges: boolean;
  readonly flat: boolean;
}

export interface ViewCamera {
  /** From the subject towards the camera. */
  readonly direction: readonly [number, number, number];
  readonly up: readonly [number, number, number];
}

/** What a picture or a film takes; a player makes its own. */
export interface ViewPicture {
  /** Pixels of a panel. */
  readonly width: number;
  readonly height: number;
  /** Panels in a row. */
  readonly columns: number;
  /** Renderings that the light of a picture is the mean of. */
  readonly samples: number;
  /** Frames of the clip, one row of panels each; −1 for the rest pose. */
  readonly shots: readonly { readonly frame: number; readonly label: string }[];
  readonly film: ViewFilm | undefined;
}

export interface ViewFilm {
  readonly fps: number;
  readonly frames: number;
  /** Whether the camera goes once around the subject. */
  readonly turntable: boolean;
}

export interface ViewSubject {
  readonly label: string;
  /** n × 3, at rest */
  readonly positions: Float32Array;
  /** f × 3 */
  readonly triangles: Uint32Array;
  /** Runs of triangles, as the file names them; colours are linear RGB. */
  readonly parts: readonly {
    readonly name: string;
    readonly firstTriangle: number;
    readonly colour?: readonly number[];
  }[];
  readonly rig?: ViewRig;
  /** R displacements of the rest pose, n × 3 each */
  readonly morphs?: readonly Float32Array[];
  readonly clips: readonly ViewClip[];
  /** Where the first subject of the scene is what this one approximates. */
  readonly original?: ViewOriginal;
}

export interface ViewOriginal {
  /** Vertex of the original for each of the n; `NO_PLACE` for one that it does not have */
  readonly places: Uint32Array;
  /** Of the original's box at rest. */
  readonly diagonal: number;
}

export interface ViewRig {
  /** Whether the file has a skin; else bones are nodes that carry parts. */
  readonly skinned: boolean;
  /** m of them */
  readonly names: readonly string[];
  readonly parents: Int32Array;
  /** m × 12, row-major 3 × 4: bone frame → model, at rest */
  readonly rest: Float64Array;
  /** K, slots per vertex */
  readonly slots: number;
  /** n × K */
  readonly bones: Uint16Array;
  /** n × K */
  readonly weights: Float32Array;
}

export interface ViewClip {
  readonly name: string;
  /** S seconds, from 0 */
  readonly times: Float64Array;
  /** S × m × 12, row-major 3 × 4, rest → pose */
  readonly transforms?: Float32Array | Float64Array;
  /** S × R */
  readonly morphWeights?: Float32Array;
  /** S × n × 3, in place of what bones and morph targets would give */
  readonly frames?: Float32Array | GridPositions;
}

/** Positions on a grid of 16 bits: low + step × value. */
export interface GridPositions {
  readonly low: readonly [number, number, number];
  readonly step: number;
  readonly values: Uint16Array;
}
