/** The polygon meshes of an archive, with what can be told of them without reading their points. */
import type { AbcObject } from './object-tree.ts';
import type { SampledProperty } from './property.ts';

export interface AlembicMesh {
  /** From the top of the archive: `/body/bodyShape`. */
  readonly path: string;
  /** The last part of its path. */
  readonly name: string;
  /** A subdivision surface is read as the mesh of its control points. */
  readonly kind: 'PolyMesh' | 'SubD';
  /** In the first sample. */
  readonly vertices: number;
  readonly faces: number;
  /** Samples of its points; 1 where only its transform moves, or nothing. */
  readonly samples: number;
  /** False where the archive says that it is hidden from the first sample to the last. */
  readonly visible: boolean;
  /** Names of its sets of faces. */
  readonly faceSets: readonly string[];
  /** Where the rest is read from. */
  readonly content: MeshContent;
}

export interface MeshContent {
  readonly object: AbcObject;
  readonly points: SampledProperty;
  readonly faceCounts: SampledProperty | undefined;
  readonly faceIndices: SampledProperty | undefined;
  readonly visibility: Visibility;
}

/** Of an object, its own or what it takes over from its parents. */
export type Visibility = 'visible' | 'hidden' | 'changes';

/** @return undefined where the object is no mesh, or one without points */
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

/** The nearest object upwards that decides, by `visible`: 0 hidden, 1 visible, −1 as its parent. */
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
