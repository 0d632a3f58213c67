/** Polygon meshes of an archive, described without reading their points. */
import type { AbcObject } from './object-tree.ts';
import type { SampledProperty } from './property.ts';

export interface AlembicMesh {
  /** Full path: `/body/bodyShape`. */
  readonly path: string;
  /** Last component of the path. */
  readonly name: string;
  /** A subdivision surface is read as its control mesh. */
  readonly kind: 'PolyMesh' | 'SubD';
  /** In the first sample. */
  readonly vertices: number;
  readonly faces: number;
  /** Number of point samples; 1 if the points do not change. */
  readonly samples: number;
  /** False if it is hidden in all samples. */
  readonly visible: boolean;
  /** Names of its face sets. */
  readonly faceSets: readonly string[];
  /** The properties to read it from. */
  readonly content: MeshContent;
}

export interface MeshContent {
  readonly object: AbcObject;
  readonly points: SampledProperty;
  readonly faceCounts: SampledProperty | undefined;
  readonly faceIndices: SampledProperty | undefined;
  readonly visibility: Visibility;
}

/** Own or inherited visibility. */
export type Visibility = 'visible' | 'hidden' | 'changes';

/** @return undefined if the object is not a mesh or has no points property */
export function readMeshObject(object: AbcObject, visibilities: Map<AbcObject, Visibility>): AlembicMesh | undefined {
  const { kind } = object;
  if (kind !== 'PolyMesh' && kind !== 'SubD') return undefined;
  const schema = object.schema;
  const points = schema?.sampled('P');
  if (!schema || !points) return undefined;
  const faceCounts = schema.sampled('.faceCounts');
  const visibility = visibilityOf(object, visibilities);
  return {
    path: object.path,
    name: object.name,
    kind,
    vertices: points.count(0),
    faces: faceCounts?.count(0) ?? 0,
    samples: points.changes ? points.samples : 1,
    visible: visibility !== 'hidden',
    faceSets: object.children.filter((child) => child.kind === 'FaceSet').map(({ name }) => name),
    content: { object, points, faceCounts, faceIndices: schema.sampled('.faceIndices'), visibility },
  };
}

/** Decided by the nearest ancestor whose `visible` is 0 (hidden) or 1 (visible); −1 inherits. */
function visibilityOf(object: AbcObject, known: Map<AbcObject, Visibility>): Visibility {
  const undecided: AbcObject[] = [];
  let visibility: Visibility | undefined;
  for (let next: AbcObject | undefined = object; next && !visibility; next = next.parent) {
    visibility = known.get(next) ?? ownVisibility(next);
    undecided.push(next);
  }
  visibility ??= 'visible';
  for (const each of undecided) known.set(each, visibility);
  return visibility;
}

function ownVisibility(object: AbcObject): Visibility | undefined {
  const property = object.properties.sampled('visible');
  if (!property) return undefined;
  if (property.changes) return 'changes';
  const [value] = property.int32(0);
  return value === 0 ? 'hidden' : value > 0 ? 'visible' : undefined;
}
