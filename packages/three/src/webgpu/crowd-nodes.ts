/**
 * Instances of one model in the vertex stage: each takes its palette from its own rows of a texture, or from two frames
 * of a baked clip, and its place from a table of matrices.
 */
import type { BufferGeometry } from 'three';
import { float, instanceIndex, int, mix, normalGeometry, normalLocal, positionGeometry, vertexIndex } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { blendedRows, transformDirection, transformPoint } from './skin-nodes.ts';
import type { SkinTables } from './skin-tables.ts';
import type { PaletteNode } from './texel-table.ts';
import { vertexSlots } from './vertex-slots.ts';

/** Palettes by instance, or by frame with a moment for every instance. */
export type CrowdPalettes =
  | { readonly posed: PaletteNode }
  | { readonly baked: PaletteNode; readonly moments: PaletteNode; readonly smooth: boolean };

/** Position of this vertex of this instance; sets the normal as well. */
export function crowdVertex(
  tables: SkinTables,
  geometry: BufferGeometry,
  places: PaletteNode,
  palettes: CrowdPalettes,
  rowsPerPalette: number,
): Node<'vec3'> {
  const i = int(vertexIndex).toVar();
  const instance = int(instanceIndex).toVar();
  const sets = vertexSlots(tables, geometry, i);
  const rowOf = (palette: Node<'int'>) => palette.mul(int(rowsPerPalette)).toVar();
  const placed = (rows: readonly Node<'vec4'>[]) => {
    const place = places.of(instance).map((row) => row.toVar());
    if (geometry.hasAttribute('normal'))
      normalLocal.assign(transformDirection(place, transformDirection(rows, normalGeometry)));
    return transformPoint(place, transformPoint(rows, positionGeometry));
  };
  let rows: Node<'vec4'>[];
  if ('posed' in palettes) rows = blendedRows(palettes.posed, sets, rowOf(instance));
  else {
    // x, y: the frames before and after; z: how far from one to the other.
    const moment = palettes.moments.of(instance)[0].toVar();
    const before = blendedRows(palettes.baked, sets, rowOf(int(moment.x)));
    if (!palettes.smooth) return placed(before);
    const after = blendedRows(palettes.baked, sets, rowOf(int(moment.y)));
    rows = before.map((row, r) => mix(row, after[r], float(moment.z)).toVar());
  }
  return placed(rows);
}
