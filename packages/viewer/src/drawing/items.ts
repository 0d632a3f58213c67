/** What can be drawn: plain data, from which three.js objects are made. */

export type Vector = readonly [number, number, number];
/** A CSS colour: '#4477aa'. */
export type Colour = string;

/** A scalar at every vertex, shown through a colour map with a legend. */
export interface Heat {
  /** n values */
  readonly values: ArrayLike<number>;
  readonly min: number;
  readonly max: number;
  /** What is shown, for the legend: 'distance to the truth'. */
  readonly name: string;
  /** '% of the diagonal'; absent for plain numbers */
  readonly unit?: string;
  /** 'heat' rises from pale to dark, 'diverging' has its middle at (min + max) / 2. Default 'heat'. */
  readonly map?: 'heat' | 'diverging';
}

export interface MeshItem {
  readonly kind: 'mesh';
  /** n × 3 */
  readonly positions: ArrayLike<number>;
  /** f × 3 */
  readonly triangles: ArrayLike<number>;
  /** One colour for all; default the neutral one. */
  readonly colour?: Colour;
  /** n × 3 linear RGB, 0 to 1: clusters, weights, textures baked to vertices */
  readonly colours?: ArrayLike<number>;
  readonly heat?: Heat;
  /** Below 1 the mesh is see-through, and what lies inside shows. Default 1. */
  readonly opacity?: number;
  /** Draw the triangles' edges. Default false. */
  readonly edges?: boolean;
  /** 'flat' shows the facets; 'smooth' (default) keeps only creases sharper than 50°. */
  readonly shading?: 'smooth' | 'flat';
}

/** Joints and the bones between them, or loose bones as small frames. */
export interface BonesItem {
  readonly kind: 'bones';
  /** m × 12 row-major 3 × 4 [A | o]: bone frame → model, as posed */
  readonly frames: ArrayLike<number>;
  /** m parents; −1 for a root or a loose bone */
  readonly parents: ArrayLike<number>;
  /** m colours; default one colour for all */
  readonly colours?: readonly Colour[];
  /** Radius of a joint, in the model's units; default from the picture's size. */
  readonly radius?: number;
}

export interface PointsItem {
  readonly kind: 'points';
  /** k × 3 */
  readonly positions: ArrayLike<number>;
  readonly colour?: Colour;
  /** k colours, where they differ */
  readonly colours?: readonly Colour[];
  /** In the model's units; default from the picture's size. */
  readonly radius?: number;
}

export interface LinesItem {
  readonly kind: 'lines';
  /** k × 2 × 3: from, to */
  readonly segments: ArrayLike<number>;
  readonly colour?: Colour;
  readonly radius?: number;
}

export interface LabelItem {
  readonly kind: 'label';
  readonly at: Vector;
  readonly text: string;
}

export type Item = MeshItem | BonesItem | PointsItem | LinesItem | LabelItem;

export interface View {
  /** From the subject towards the camera; default (0.55, 0.3, 1). */
  readonly direction?: Vector;
  /** Default +Y. */
  readonly up?: Vector;
  /** Part of the width and height left free around the subject; default 0.06. */
  readonly margin?: number;
}
