/**
 * Instances of one model in the vertex stage: each takes its palette from its own rows of a texture, or from two frames
 * of a baked clip, and its place from a table of matrices.
 */
import type { BufferGeometry } from 'three';
import {
  dot,
  float,
  instanceIndex,
  int,
  mix,
  normalGeometry,
  normalLocal,
  positionGeometry,
  vec3,
  vertexIndex,
} from 'three/tsl';
import type { Node } from 'three/webgpu';
import { type DisplacementPalettes, displacedVertex, displacement } from './displacement-nodes.ts';
import { blendedRows, transformDirection, transformPoint } from './skin-nodes.ts';
import type { SkinTables } from './skin-tables.ts';
import type { PaletteNode } from './texel-table.ts';
import { vertexSlots } from './vertex-slots.ts';

/** Poses by instance, or by frame with a moment for every instance. */
export interface CrowdPoses {
  readonly palettes: PaletteNode;
  readonly displacements: DisplacementPalettes | undefined;
  readonly baked?: {
    /** A texel per instance: x a frame, y how far from it to the next. */
    readonly moments: PaletteNode;
    readonly frames: number;
    readonly smooth: boolean;
  };
}

/** Position of this vertex of this instance; sets the normal as well. */
export function crowdVertex(
  tables: SkinTables,
  geometry: BufferGeometry,
  places: PaletteNode,
  { palettes, displacements, baked }: CrowdPoses,
): Node<'vec3'> {
  const i = int(vertexIndex).toVar();
  const instance = int(instanceIndex).toVar();
  const sets = vertexSlots(tables, geometry, i);
  /** Rows of the blended transform and displacement in one pose. */
  const posed = (pose: Node<'int'>) => {
    const rows = blendedRows(palettes, sets, pose.mul(int(palettes.rows)).toVar());
    if (!displacements) return { rows, shift: undefined };
    return { rows, shift: displacement(displacedVertex(tables, geometry, i, 0), displacements, pose).toVar() };
  };
  const shown = (rows: readonly Node<'vec4'>[], shift: Node<'vec3'> | undefined) => {
    const place = places.of(instance).map((row) => row.toVar());
    if (geometry.hasAttribute('normal')) {
      const normal = transformDirection(rows, normalGeometry);
      normalLocal.assign(transformDirection(place, normal.div(squaredScales(place))));
    }
    const point = transformPoint(rows, positionGeometry);
    return transformPoint(place, shift ? point.add(shift) : point);
  };
  if (!baked) {
    const { rows, shift } = posed(instance);
    return shown(rows, shift);
  }
  const moment = baked.moments.of(instance)[0].toVar();
  const frame = int(moment.x).toVar();
  const before = posed(frame);
  if (!baked.smooth) return shown(before.rows, before.shift);
  const next = frame.add(int(1)).toVar();
  const after = posed(next.equal(int(baked.frames)).select(int(0), next).toVar());
  const share = float(moment.y).toVar();
  return shown(
    before.rows.map((row, r) => mix(row, after.rows[r], share).toVar()),
    before.shift && after.shift && mix(before.shift, after.shift, share),
  );
}

/** Normals go by the inverse transpose, which for turns and scales is the matrix over its squared scales. */
function squaredScales(rows: readonly Node<'vec4'>[]): Node<'vec3'> {
  const [x, y, z] = (['x', 'y', 'z'] as const).map((axis) => {
    const column = vec3(rows[0][axis], rows[1][axis], rows[2][axis]);
    return dot(column, column);
  });
  return vec3(x, y, z);
}
