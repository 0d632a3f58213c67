/** Skinning of one vertex in a shader: linear blending and dual quaternions. */
import { dot, float, int, vec3, vec4 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import type { PaletteNode, TexelTable } from './texel-table.ts';

const LANES = ['x', 'y', 'z', 'w'] as const;

/** Up to four slots of a vertex. */
export interface SlotSet {
  readonly bones: Node<'vec4'>;
  readonly weights: Node<'vec4'>;
  /** Those that any vertex uses. */
  readonly lanes: readonly (typeof LANES)[number][];
}

/** Lanes of set `set` where no vertex uses more than `slots` slots. */
export function lanesOf(slots: number, set: number): SlotSet['lanes'] {
  return LANES.slice(0, Math.max(0, slots - 4 * set));
}

/** The slots of vertex i from a table of two texels a set. */
export function slotsFrom(table: TexelTable, slots: number, i: Node<'int'>): SlotSet[] {
  const sets = Math.ceil(slots / 4);
  return Array.from({ length: sets }, (_, set) => {
    const at = i.mul(int(2 * sets)).add(int(2 * set));
    return { bones: table.at(at).toVar(), weights: table.at(at.add(int(1))).toVar(), lanes: lanesOf(slots, set) };
  });
}

/** Σ w T: the three rows of a vertex's blended transform. */
export function blendedRows(palette: PaletteNode, sets: readonly SlotSet[], row?: Node<'int'>): Node<'vec4'>[] {
  const sums = [0, 1, 2].map(() => vec4(0).toVar());
  for (const { bones, weights, lanes } of sets) {
    for (const lane of lanes) {
      const rows = palette.of(int(bones[lane]), row);
      rows.forEach((value, r) => {
        sums[r].addAssign(value.mul(weights[lane]));
      });
    }
  }
  return sums;
}

export function transformPoint(rows: readonly Node<'vec4'>[], point: Node<'vec3'>): Node<'vec3'> {
  const p = vec4(point, 1);
  return vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
}

export function transformDirection(rows: readonly Node<'vec4'>[], direction: Node<'vec3'>): Node<'vec3'> {
  return vec3(dot(rows[0].xyz, direction), dot(rows[1].xyz, direction), dot(rows[2].xyz, direction));
}

/** A vertex's blended dual quaternion, normalised: the weighted sum on the side of its first bone's (Kavan 2008). */
export function blendedQuaternion(palette: PaletteNode, sets: readonly SlotSet[]): [Node<'vec4'>, Node<'vec4'>] {
  const first = palette.of(int(sets[0].bones.x))[0].toVar();
  const real = vec4(0).toVar();
  const dual = vec4(0).toVar();
  for (const { bones, weights, lanes } of sets) {
    for (const lane of lanes) {
      const [q, d] = palette.of(int(bones[lane])).map((texel) => texel.toVar());
      const w = weights[lane].mul(dot(q, first).lessThan(0).select(float(-1), float(1)));
      real.addAssign(q.mul(w));
      dual.addAssign(d.mul(w));
    }
  }
  const length = real.length().toVar();
  return [real.div(length).toVar(), dual.div(length).toVar()];
}

export function screwPoint([q, d]: readonly [Node<'vec4'>, Node<'vec4'>], p: Node<'vec3'>): Node<'vec3'> {
  const c = q.xyz.cross(p).add(p.mul(q.w)).add(d.xyz);
  return p.add(q.xyz.cross(c).add(d.xyz.mul(q.w)).sub(q.xyz.mul(d.w)).mul(2));
}

export function turnDirection(q: Node<'vec4'>, v: Node<'vec3'>): Node<'vec3'> {
  return v.add(q.xyz.cross(q.xyz.cross(v).add(v.mul(q.w))).mul(2));
}
