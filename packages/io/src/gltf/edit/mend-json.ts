/**
 * What the JSON of a readable file gets wrong, mended as readers take it, so that a file that is passed on is valid: names
 * that are no text, properties that the format does not know (which move to `extras`), factors out of range, hints that
 * hint at nothing, channels that name no target.
 */
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import type { MutableJson } from './raw-document.ts';

const NAMED = ['accessors', 'animations', 'cameras', 'images', 'materials', 'meshes', 'nodes', 'samplers', 'scenes'];
/** Properties of those objects to which tools add their own, beside name, extensions and extras. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  animations: ['channels', 'samplers'],
  meshes: ['primitives', 'weights'],
  nodes: ['camera', 'children', 'skin', 'matrix', 'mesh', 'rotation', 'scale', 'translation', 'weights'],
  scenes: ['nodes'],
  skins: ['inverseBindMatrices', 'skeleton', 'joints'],
};
const COMMON = ['name', 'extensions', 'extras'];
const FACTORS = ['metallicFactor', 'roughnessFactor'];
const PATHS = ['translation', 'rotation', 'scale', 'weights', 'pointer'];
const TARGETS = [34962, 34963];
const FLOAT = 5126;

export function mendJson(json: MutableJson, views: readonly MutableJson[]): void {
  if (isObject(json.asset)) json.asset = withTexts(json.asset, ['generator', 'copyright']);
  for (const kind of [...NAMED, 'skins', 'textures']) {
    if (Array.isArray(json[kind])) json[kind] = (json[kind] as JsonObject[]).map((item) => mendedItem(item, kind));
  }
  mendSkins(json);
  mendMorphWeights(json);
  mendAnimations(json, views);
  for (const view of views) {
    if (view.target !== undefined && !TARGETS.includes(view.target as number)) delete view.target;
    if (view.name !== undefined && typeof view.name !== 'string') delete view.name;
  }
}

/**
 * What a skeleton hangs on is a hint. A joint that a skin names twice has a twin inside it; joints of several trees get a
 * root of their own, as the format asks for one.
 */
function mendSkins(json: MutableJson): void {
  for (const skin of objectsOf(json, 'skins') as MutableJson[]) {
    if (Array.isArray(skin.joints))
      skin.joints = skin.joints.map((joint, k, all) => (all.indexOf(joint) < k ? twinOf(json, joint) : joint));
  }
  const nodes = objectsOf(json, 'nodes') as MutableJson[];
  const parents = new Map(
    nodes.flatMap(({ children }, k) => (Array.isArray(children) ? children.map((child) => [child, k] as const) : [])),
  );
  const rootOf = (node: unknown): unknown => {
    let at = node;
    for (let k = 0; k < nodes.length && parents.has(at); k++) at = parents.get(at);
    return at;
  };
  const apart = new Set<unknown>();
  for (const skin of objectsOf(json, 'skins') as MutableJson[]) {
    if (skin.skeleton !== undefined && !nodes[skin.skeleton as number]) delete skin.skeleton;
    const roots = new Set(Array.isArray(skin.joints) ? skin.joints.map(rootOf) : []);
    if (roots.size < 2) continue;
    for (const root of roots) apart.add(root);
    delete skin.skeleton;
  }
  const scenes = objectsOf(json, 'scenes') as MutableJson[];
  if (apart.size === 0 || scenes.length !== 1 || !Array.isArray(scenes[0].nodes)) return;
  json.nodes = [...nodes, { children: [...apart] }];
  scenes[0].nodes = [...scenes[0].nodes.filter((root) => !apart.has(root)), nodes.length];
}

/** A new node that stands where another one does, whatever moves that. */
function twinOf(json: MutableJson, joint: unknown): unknown {
  const nodes = [...objectsOf(json, 'nodes')];
  const own = nodes[joint as number];
  if (!own) return joint;
  nodes[joint as number] = { ...own, children: [...(Array.isArray(own.children) ? own.children : []), nodes.length] };
  json.nodes = [...nodes, {}];
  return nodes.length;
}

/** As many weights as a mesh has targets. */
function mendMorphWeights(json: MutableJson): void {
  for (const mesh of objectsOf(json, 'meshes') as MutableJson[]) {
    const [first] = objectsOf(mesh, 'primitives');
    const count = Array.isArray(first?.targets) ? first.targets.length : 0;
    if (!Array.isArray(mesh.weights) || mesh.weights.length === count) continue;
    const { weights } = mesh;
    if (count === 0) delete mesh.weights;
    else mesh.weights = Array.from({ length: count }, (_, r) => (typeof weights[r] === 'number' ? weights[r] : 0));
  }
}

/** Views of keys are none of vertices. Curves of the node of a skinned mesh, on which nothing hangs, move nothing. */
function mendAnimations(json: MutableJson, views: readonly MutableJson[]): void {
  const [nodes, accessors] = [objectsOf(json, 'nodes'), objectsOf(json, 'accessors') as MutableJson[]];
  for (const animation of objectsOf(json, 'animations') as MutableJson[]) {
    const samplers = Array.isArray(animation.samplers) ? animation.samplers.filter(isObject) : [];
    for (const key of samplers.flatMap(({ input, output }) => [input, output])) {
      const view = views[accessors[key as number]?.bufferView as number];
      if (view) delete view.target;
    }
    if (!Array.isArray(animation.channels)) continue;
    const channels = animation.channels as JsonObject[];
    animation.channels = channels.filter(({ target }) => {
      const { node, path } = target as JsonObject;
      const { skin, children } = nodes[node as number] ?? {};
      return skin === undefined || children !== undefined || path === 'weights' || path === 'pointer';
    });
    for (const { sampler, target } of channels) {
      const accessor = accessors[samplers[sampler as number]?.output as number];
      // Whole numbers are shares of the largest, whether the file says so or not: rotations are normalised.
      if ((target as JsonObject).path === 'rotation' && accessor && accessor.componentType !== FLOAT) {
        accessor.normalized = true;
      }
    }
  }
}

function mendedItem(item: JsonObject, kind: string): JsonObject {
  const own = withKnown(withTexts(item, ['name']), KNOWN[kind]);
  if (kind === 'materials' && isObject(own.pbrMetallicRoughness)) {
    const { pbrMetallicRoughness: factors } = own;
    const wrong = FACTORS.filter((key) => factors[key] !== undefined && !isShare(factors[key]));
    if (wrong.length === 0) return own;
    return {
      ...own,
      pbrMetallicRoughness: { ...factors, ...Object.fromEntries(wrong.map((key) => [key, shareOf(factors[key])])) },
    };
  }
  if (kind === 'accessors' && own.normalized !== undefined && typeof own.normalized !== 'boolean') {
    return without(own, ['normalized']);
  }
  if (kind !== 'animations' || !Array.isArray(own.channels)) return own;
  const channels = own.channels.filter(hasTarget);
  return channels.length === own.channels.length ? own : { ...own, channels };
}

/** A channel that names nothing moves nothing. */
function hasTarget(channel: unknown): boolean {
  return isObject(channel) && isObject(channel.target) && PATHS.includes(channel.target.path as string);
}

function withTexts(item: JsonObject, keys: readonly string[]): JsonObject {
  return without(
    item,
    keys.filter((key) => item[key] !== undefined && typeof item[key] !== 'string'),
  );
}

function withKnown(item: JsonObject, known: readonly string[] | undefined): JsonObject {
  const others = known ? Object.keys(item).filter((key) => !known.includes(key) && !COMMON.includes(key)) : [];
  if (others.length === 0) return item;
  const extras = isObject(item.extras) ? item.extras : item.extras === undefined ? {} : { value: item.extras };
  return {
    ...without(item, others),
    extras: { ...extras, ...Object.fromEntries(others.map((key) => [key, item[key]])) },
  };
}

function without(item: JsonObject, keys: readonly string[]): JsonObject {
  if (keys.length === 0) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** A number is moved into its range; anything else is what the format takes where nothing is said. */
function shareOf(value: unknown): number {
  return typeof value === 'number' ? Math.min(Math.max(value, 0), 1) : 1;
}
