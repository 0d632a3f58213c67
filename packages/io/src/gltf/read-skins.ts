import { InputError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { AccessorSet } from './accessor-set.ts';
import { indicesOf, type JsonObject, objectsOf, optionalIndexOf } from './json-shape.ts';
import { fromColumns, identityTransform, type Transform } from './transform.ts';

/** Joints are nodes; an inverse bind matrix takes the mesh, as stored, to the joint's own space. */
export interface GltfSkin {
  readonly joints: readonly number[];
  readonly inverseBinds: readonly Transform[];
}

export function readSkins(json: JsonObject, accessors: AccessorSet, warnings: WarningTally): GltfSkin[] {
  const nodeCount = objectsOf(json, 'nodes').length;
  return objectsOf(json, 'skins').map((skin, k) => {
    const where = `skins[${k}]`;
    const joints = indicesOf(skin, 'joints', where, nodeCount);
    if (joints.length === 0) throw new InputError(`${where} has no joints`);
    if (new Set(joints).size < joints.length) warnings.add(`${where} lists a node twice among its joints`);
    const index = optionalIndexOf(skin, 'inverseBindMatrices', where, accessors.length);
    if (index < 0) return { joints, inverseBinds: joints.map(identityTransform) };
    const matrices = accessors.floats(index, `${where}.inverseBindMatrices`, [16]);
    if (matrices.length < 16 * joints.length) {
      throw new InputError(`${where} has ${joints.length} joints, but ${matrices.length / 16} inverse bind matrices`);
    }
    return { joints, inverseBinds: joints.map((_, j) => fromColumns(matrices, 16 * j)) };
  });
}
