/**
 * What a channel moves: a property of a node, said directly or by a JSON pointer; or anything else by a pointer.
 *
 * Reference: KHR_animation_pointer.
 */
import { isObject, type JsonObject, textOf } from './json-shape.ts';

export const POINTER_EXTENSION = 'KHR_animation_pointer';

/** The pointer of a channel's target; `undefined` for a target that has none. */
export function pointerOf(target: JsonObject): string | undefined {
  if (textOf(target, 'path') !== 'pointer' || !isObject(target.extensions)) return undefined;
  const extension = target.extensions[POINTER_EXTENSION];
  return isObject(extension) ? textOf(extension, 'pointer') : undefined;
}

/** A target that points to a property of a node as one that names the node; every other as it is. */
export function plainTarget(target: JsonObject): JsonObject {
  const [, node, path] = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/.exec(pointerOf(target) ?? '') ?? [];
  return node === undefined ? target : { node: Number(node), path };
}
