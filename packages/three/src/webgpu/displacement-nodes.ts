/**
 * Displacements of a learnt skin in a shader: F Σ_e c_e d_e, with the examples' displacements d_e of a vertex, their
 * weights c_e blended from those of its joints, and the rotation F of its key gradient.
 *
 * What is constant of a vertex comes from tables in a pass. The vertex stage takes it from one interleaved buffer where
 * there is room, since attributes are fetched faster than texels: with four displacements, 25k vertices on WebGPU took 1.55
 * times the processor time of three's own skinning with tables, and take 1.02 times with the buffer.
 */
import type { BufferGeometry } from 'three';
import { bufferAttribute, dot, Fn, float, int, vec3, vec4 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { lanesOf, type SlotSet, slotsFrom, transformDirection } from './skin-nodes.ts';
import type { SkinTables } from './skin-tables.ts';
import type { PaletteNode } from './texel-table.ts';
import { attributesBeside, MOST_ATTRIBUTES } from './vertex-slots.ts';

/** What changes with the pose. */
export interface DisplacementPalettes {
  /** For every joint its weights of the examples, four a texel. */
  readonly cardinal: PaletteNode;
  /** Rotations of the key gradients, a row a texel. */
  readonly axes: PaletteNode;
}

/** What is constant of a vertex. */
export interface DisplacedVertex {
  /** Slots over the joints. */
  readonly sets: readonly SlotSet[];
  /** x, y and z of four examples, for every four. */
  readonly examples: readonly (readonly Node<'vec4'>[])[];
  /** Which key gradient turns its displacements. */
  readonly axis: Node<'int'>;
}

/** More groups of four examples than this stay in tables: WebGPU has sixteen attributes. */
const MOST_GROUPS = 2;

/** Vertex i from the tables. */
export function displacedFromTables(tables: SkinTables, i: Node<'int'>): DisplacedVertex {
  const groups = tables.displacementGroups;
  const first = i.mul(int(3 * groups)).toVar();
  return {
    sets: slotsFrom(tables.jointSlots, tables.jointSlotCount, i),
    examples: Array.from({ length: groups }, (_, group) =>
      [0, 1, 2].map((c) => tables.displacements.at(first.add(int(3 * group + c)))),
    ),
    axis: int(tables.rest.at(i).w),
  };
}

/**
 * The vertex at hand, in the vertex stage.
 *
 * @param i      in the tables
 * @param first  vertex of the part in the tables
 */
export function displacedVertex(
  tables: SkinTables,
  geometry: BufferGeometry,
  i: Node<'int'>,
  first: number,
): DisplacedVertex {
  const { displacementGroups: groups, jointSlotCount: slots, slotCount } = tables;
  const skin = 2 * Math.ceil(slotCount / 4);
  const fits = attributesBeside(geometry) + skin < MOST_ATTRIBUTES && groups <= MOST_GROUPS && slots <= 4;
  if (!fits) return displacedFromTables(tables, i);
  const stride = 8 + 12 * groups + 1;
  const buffer = tables.displacementBuffer(stride, first, geometry.getAttribute('position').count);
  const four = (offset: number) => bufferAttribute<'vec4'>(buffer, 'vec4', stride, offset);
  return {
    sets: [{ bones: four(0), weights: four(4), lanes: lanesOf(slots, 0) }],
    examples: Array.from({ length: groups }, (_, group) => [0, 1, 2].map((c) => four(8 + 4 * (3 * group + c)))),
    axis: int(bufferAttribute<'float'>(buffer, 'float', stride, stride - 1)),
  };
}

/** @param pose  which, of several in one texture */
export function displacement(
  { sets, examples, axis }: DisplacedVertex,
  { cardinal, axes }: DisplacementPalettes,
  pose?: Node<'int'>,
): Node<'vec3'> {
  return Fn(() => {
    const rowOf = (palette: PaletteNode) => pose?.mul(int(palette.rows)).toVar();
    const row = rowOf(cardinal);
    const mixes = examples.map(() => vec4(0).toVar());
    for (const { bones, weights, lanes } of sets) {
      for (const lane of lanes) {
        cardinal.of(int(bones[lane]), row).forEach((texel, group) => {
          mixes[group].addAssign(texel.mul(float(weights[lane])));
        });
      }
    }
    const sum = vec3(0).toVar();
    mixes.forEach((mix, group) => {
      const [x, y, z] = examples[group].map((four) => dot(mix, four));
      sum.addAssign(vec3(x, y, z));
    });
    return transformDirection(axes.of(axis, rowOf(axes)), sum);
  })();
}
