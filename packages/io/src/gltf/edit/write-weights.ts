/** Other weights for the vertices of a file, over the joints that its skins have. */
import { type SkinWeights, UnsupportedError, validateSkinWeights, vertexCount } from '@pelt/model';
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import type { GltfAsset, VertexRange } from '../scene.ts';
import type { MutableJson } from './raw-document.ts';

/** Stores an array of four numbers a vertex and gives the number of its accessor. */
export type AddVertexArray = (values: Float32Array | Uint8Array | Uint16Array) => number;

const SLOTS_PER_SET = 4;
const MOST_BYTE_JOINTS = 256;
const DRACO = 'KHR_draco_mesh_compression';

/**
 * @param json     of the file; its meshes are replaced
 * @param weights  n × K over the bones of the asset, of its merged mesh
 */
export function writeWeights(
  json: MutableJson,
  { scene, mesh: merged }: GltfAsset,
  weights: SkinWeights,
  add: AddVertexArray,
): void {
  validateSkinWeights(weights, vertexCount(merged), scene.bones.length);
  const written = new Map<number, { readonly range: VertexRange; readonly attributes: JsonObject }>();
  const meshes = objectsOf(json, 'meshes').map((mesh): MutableJson => ({ ...mesh }));
  for (const range of scene.ranges) {
    if (range.skin < 0) continue;
    const { mesh, primitive, firstVertex } = range;
    const primitives = [...objectsOf(meshes[mesh], 'primitives')];
    const shown = scene.ranges.find((other) => other.mesh === mesh && other.primitive === primitive) as VertexRange;
    if (shown.node !== range.node) {
      if (sameRows(weights, shown, range)) continue;
      throw new UnsupportedError(`meshes[${mesh}] is shown by several nodes, whose weights would differ; make copies`);
    }
    // Primitives over the same vertices share their arrays.
    const own = written.get(firstVertex) ?? { range, attributes: attributesOf(weights, range, add) };
    written.set(firstVertex, own);
    primitives[primitive] = withAttributes(primitives[primitive], own.attributes);
    meshes[mesh].primitives = primitives;
  }
  json.meshes = meshes;
}

function attributesOf(
  { slots, bones, weights }: SkinWeights,
  { firstVertex, vertexCount: n, bones: own }: VertexRange,
  add: AddVertexArray,
): JsonObject {
  const jointOf = new Map([...own].map((bone, j) => [bone, j]));
  const Joints = own.length > MOST_BYTE_JOINTS ? Uint16Array : Uint8Array;
  const sets = Array.from({ length: Math.ceil(slots / SLOTS_PER_SET) }, () => ({
    joints: new Joints(SLOTS_PER_SET * n),
    weights: new Float32Array(SLOTS_PER_SET * n),
  }));
  for (let i = 0; i < n; i++) {
    for (let s = 0; s < slots; s++) {
      const weight = weights[(firstVertex + i) * slots + s];
      if (weight === 0) continue;
      const bone = bones[(firstVertex + i) * slots + s];
      const joint = jointOf.get(bone);
      if (joint === undefined)
        throw new UnsupportedError(`a vertex would follow bone ${bone}, which is not of its skin`);
      const set = sets[Math.floor(s / SLOTS_PER_SET)];
      set.joints[SLOTS_PER_SET * i + (s % SLOTS_PER_SET)] = joint;
      set.weights[SLOTS_PER_SET * i + (s % SLOTS_PER_SET)] = weight;
    }
  }
  const used = sets.filter((set, k) => k === 0 || set.weights.some((weight) => weight > 0));
  return Object.fromEntries(
    used.flatMap((set, k) => [
      [`JOINTS_${k}`, add(set.joints)],
      [`WEIGHTS_${k}`, add(set.weights)],
    ]),
  );
}

const isOfSkin = (semantic: string) => /^(?:JOINTS|WEIGHTS)_\d+$/.test(semantic);

function withAttributes(primitive: JsonObject, own: JsonObject): JsonObject {
  const without = (attributes: unknown) =>
    Object.fromEntries(Object.entries(isObject(attributes) ? attributes : {}).filter(([name]) => !isOfSkin(name)));
  const { extensions } = primitive;
  const draco = isObject(extensions) ? extensions[DRACO] : undefined;
  return {
    ...primitive,
    attributes: { ...without(primitive.attributes), ...own },
    ...(isObject(extensions) &&
      isObject(draco) && {
        extensions: { ...extensions, [DRACO]: { ...draco, attributes: without(draco.attributes) } },
      }),
  };
}

function sameRows({ slots, bones, weights }: SkinWeights, a: VertexRange, b: VertexRange): boolean {
  if (a.skin !== b.skin) return false;
  for (let k = 0; k < a.vertexCount * slots; k++) {
    const [p, q] = [a.firstVertex * slots + k, b.firstVertex * slots + k];
    if (weights[p] !== weights[q] || (weights[p] > 0 && bones[p] !== bones[q])) return false;
  }
  return true;
}
