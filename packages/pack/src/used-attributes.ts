/** Which attributes of a primitive anything uses: what its materials, its nodes and its extensions refer to. */
import { isObject, type JsonObject, objectsOf } from '@pelt/io/internal';

export interface AttributeUse {
  /** Sets of UVs, from 0. */
  readonly uvSets: number;
  readonly tangents: boolean;
  readonly skinned: boolean;
}

/**
 * @param materials  of the file
 * @param primitive  with its material, and with those of its variants
 * @param skinned    whether a node shows it with a skin
 */
export function attributeUse(materials: readonly JsonObject[], primitive: JsonObject, skinned: boolean): AttributeUse {
  let uvSets = 0;
  let tangents = false;
  for (const k of materialsOf(primitive)) {
    visit(materials[k], (key, value) => {
      if (/texture$/i.test(key) && typeof value.index === 'number') uvSets = Math.max(uvSets, setOf(value) + 1);
      if (/normaltexture$|anisotropy$/i.test(key)) tangents = true;
    });
  }
  return { uvSets, tangents, skinned };
}

/** Whether an attribute is used; those that pelt does not know are. */
export function usesAttribute({ uvSets, tangents, skinned }: AttributeUse, semantic: string): boolean {
  const uv = /^TEXCOORD_(\d+)$/.exec(semantic);
  if (uv) return Number(uv[1]) < uvSets;
  if (semantic === 'TANGENT') return tangents;
  if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) return skinned;
  return true;
}

function materialsOf(primitive: JsonObject): number[] {
  const { extensions } = primitive;
  const variants = isObject(extensions) ? extensions.KHR_materials_variants : undefined;
  const mappings = isObject(variants) ? objectsOf(variants, 'mappings') : [];
  return [primitive, ...mappings].flatMap(({ material }) => (typeof material === 'number' ? [material] : []));
}

/** A texture's transform may name another set of UVs. */
function setOf(texture: JsonObject): number {
  const { extensions, texCoord } = texture;
  const transform = isObject(extensions) ? extensions.KHR_texture_transform : undefined;
  const moved = isObject(transform) ? transform.texCoord : undefined;
  return typeof moved === 'number' ? moved : typeof texCoord === 'number' ? texCoord : 0;
}

function visit(value: unknown, take: (key: string, value: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, take);
  if (!isObject(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (isObject(child)) take(key, child);
    visit(child, take);
  }
}
