import { InputError } from './errors.ts';
import { requireIndices } from './require.ts';
import { type SkinWeights, validateSkinWeights } from './skin-weights.ts';
import { type TetMesh, validateTetMesh } from './tet-mesh.ts';

/** How a body is deformed, as it is saved with it; what is absent is as usual. `VolumeDeformerOptions` says more. */
export interface BodySettings {
  readonly method?: 'smooth' | 'budd-hilton';
  readonly volumeWeight?: number;
  readonly bending?: number;
  readonly rotationWeight?: number;
  readonly constraintStiffness?: number;
  readonly tolerance?: number;
}

/** The solid of a character: tetrahedra inside its surface, bound to its joints. */
export interface SavedBody {
  readonly body: TetMesh;
  /** v × K weights of the body's vertices over the joints */
  readonly skin: SkinWeights;
  /** Vertices of the body that follow the joints, ascending. */
  readonly fixed: Uint32Array;
  /** Automatic constraints may be relaxed to avoid inversions; constraints the user chose may not. */
  readonly yielding: boolean;
  readonly settings: BodySettings;
}

/**
 * Throws `InputError` unless the body is one of n surface vertices and m joints, with constraints among its vertices.
 * @example
 * {@includeCode ../examples/saved-body.ts}
 */
export function validateSavedBody({ body, skin, fixed }: SavedBody, n: number, m: number): void {
  validateTetMesh(body);
  if (body.surface.length !== n) {
    throw new InputError(`body '${body.name}': it carries ${body.surface.length} surface vertices, the mesh has ${n}`);
  }
  const v = body.positions.length / 3;
  validateSkinWeights(skin, v, m);
  if (fixed.length === 0) throw new InputError(`body '${body.name}': no vertex of it follows the joints`);
  requireIndices(`body '${body.name}': constraints`, fixed, v);
}
