/**
 * Bones and weights of the vertex at hand, in the vertex stage: from attributes where there is room for them, since
 * these are fetched faster, else from the tables.
 */
import type { BufferGeometry } from 'three';
import { attribute, dot, float, vec4 } from 'three/tsl';
import type { Node } from 'three/webgpu';
import { lanesOf, type SlotSet, slotsFrom } from './skin-nodes.ts';
import type { SkinTables } from './skin-tables.ts';

/** Attributes that WebGPU lets a pipeline have. */
export const MOST_ATTRIBUTES = 8;
const OF_SKIN = /^(?:skin(?:Index|Weight)|joints_\d|weights_\d)$/;

/** Attributes that are not the skin's. */
export function attributesBeside(geometry: BufferGeometry): number {
  return Object.keys(geometry.attributes).filter((name) => !OF_SKIN.test(name)).length;
}

/** @param i  in the tables; attributes know their own */
export function vertexSlots(tables: SkinTables, geometry: BufferGeometry, i: Node<'int'>): SlotSet[] {
  const { slotCount } = tables;
  const sets = Math.ceil(slotCount / 4);
  const second = geometry.hasAttribute('joints_1') && geometry.hasAttribute('weights_1');
  const fits = attributesBeside(geometry) + 2 * sets <= MOST_ATTRIBUTES;
  if (!fits || sets > 2 || (sets === 2 && !second)) return slotsFrom(tables.slots, slotCount, i);
  const index = vec4(attribute<'uvec4'>('skinIndex', 'uvec4'));
  const weight = attribute<'vec4'>('skinWeight', 'vec4');
  if (sets === 1) return [{ bones: index, weights: weight, lanes: lanesOf(slotCount, 0) }];
  // GLTFLoader has scaled the first set to sum 1, whatever the second has.
  const more = attribute<'vec4'>('weights_1', 'vec4');
  const share = float(1).sub(dot(more, vec4(1)));
  return [
    { bones: index, weights: weight.mul(share).toVar(), lanes: lanesOf(slotCount, 0) },
    { bones: vec4(attribute<'uvec4'>('joints_1', 'uvec4')), weights: more, lanes: lanesOf(slotCount, 1) },
  ];
}
