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
  | {
      readonly baked: PaletteNode;
      /** A texel per instance: x a frame, y how far from it to the next. */
      readonly moments: PaletteNode;
      readonly frames: number;
      readonly smooth: boolean;
    };

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
    const moment = palettes.moments.of(instance)[0].toVar();
    const frame = int(moment.x).toVar();
    const before = blendedRows(palettes.baked, sets, rowOf(frame));
    if (!palettes.smooth) return placed(before);
    const next = frame.add(int(1)).toVar();
    const after = blendedRows(palettes.baked, sets, rowOf(next.equal(int(palettes.frames)).select(int(0), next)));
    rows = before.map((row, r) => mix(row, after[r], float(moment.y)).toVar());
  }
  return placed(rows);
}
