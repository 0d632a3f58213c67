/** Meshes of an FBX with what deforms them, in the space of their nodes, in metres. */
import { gatherWeights, type SkinWeights } from '@pelt/model';
import {
  composeTrs,
  determinant,
  identityTransform,
  invert,
  isSingular,
  multiply,
  type Transform,
} from '../gltf/transform.ts';
import type { SceneMesh, SceneSkin } from '../scene/file-scene.ts';
import type { WarningTally } from '../warning-tally.ts';
import { type FbxSkin, type FbxTarget, readSkin, readTargets, restPercent, targetWeight } from './fbx-deformers.ts';
import { type FbxGeometry, readGeometry } from './fbx-geometry.ts';
import type { MaterialReader } from './fbx-materials.ts';
import type { FbxNodes } from './fbx-nodes.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';
import { quaternionOf } from './fbx-transform.ts';
import { turnedNormals } from './turned-normals.ts';

export interface NodeMesh {
  readonly mesh: number;
  readonly skin: number;
  readonly weights: readonly number[];
}

export class MeshReader {
  readonly meshes: SceneMesh[] = [];
  readonly skins: SceneSkin[] = [];
  /** Morph targets of each mesh. */
  readonly targets: (readonly FbxTarget[])[] = [];
  readonly #objects: FbxObjects;
  readonly #nodes: FbxNodes;
  readonly #materials: MaterialReader;
  readonly #unit: number;
  readonly #axes: Transform;
  readonly #label: string;
  readonly #warnings: WarningTally;
  readonly #shared = new Map<string, NodeMesh>();

  constructor(
    objects: FbxObjects,
    nodes: FbxNodes,
    materials: MaterialReader,
    place: { readonly unit: number; readonly axes: Transform; readonly label: string },
    warnings: WarningTally,
  ) {
    this.#objects = objects;
    this.#nodes = nodes;
    this.#materials = materials;
    this.#unit = place.unit;
    this.#axes = place.axes;
    this.#label = place.label;
    this.#warnings = warnings;
  }

  /** What hangs on a node; meshes that several nodes show alike are read once. */
  read(k: number): NodeMesh | undefined {
    const model = this.#nodes.models[k];
    if (!model) return undefined;
    const geometries = this.#objects.childrenOf(model, 'Geometry').filter(({ object }) => object.type === 'Mesh');
    if (geometries.length === 0) return undefined;
    if (geometries.length > 1) this.#warnings.add(`of several meshes of '${model.name}' the first is read`);
    const [{ object }] = geometries;
    const own = this.#objects
      .childrenOf(model, 'Material')
      .map(({ object: material }) => this.#materials.material(material));
    const geometric = this.#geometric(model);
    const key = [String(object.id), ...own, ...geometric].join();
    const known = this.#shared.get(key);
    // Skins that leave points to the mesh's own node are not shared.
    if (known && known.skin < 0) return known;
    const read = this.#read(k, object, own, geometric);
    if (read) this.#shared.set(key, read);
    return read;
  }

  #read(k: number, object: FbxObject, materials: readonly number[], geometric: Transform): NodeMesh | undefined {
    const geometry = readGeometry(object, this.#label, this.#warnings);
    if (!geometry) {
      this.#warnings.add(`mesh '${object.name}' has no polygons and is left out`);
      return undefined;
    }
    const { points, vertexMap } = geometry;
    const skin = readSkin(this.#objects, object, points, this.#fileWorld(k), this.#warnings);
    const targets = readTargets(this.#objects, object, points, this.#warnings);
    const scaled = geometric.map((value) => value * this.#unit);
    const weights = skin && this.#addSkin(k, object.name, skin);
    const mirrored = determinant(geometric) < 0;
    this.targets.push(targets);
    this.meshes.push({
      name: object.name || this.#nodes.models[k].name,
      targetNames: targets.map(({ name }) => name),
      blocks: [
        {
          positions: moved(geometry.positions, scaled),
          normals: geometry.normals && turnedNormals(geometry.normals, geometric),
          uvs: geometry.uvs,
          uvs2: geometry.uvs2,
          colors: geometry.colors,
          weights: weights && gatherWeights(weights, vertexMap),
          targets: targets.map(({ deltas }) => movedTarget(deltas, vertexMap, scaled)),
          parts: partsOf(geometry, materials, mirrored, object.name),
        },
      ],
    });
    return {
      mesh: this.meshes.length - 1,
      skin: weights ? this.skins.length - 1 : -1,
      weights: targets.map((target) => targetWeight(target, restPercent(this.#objects, target.channel))),
    };
  }

  /** Joints of a skin; points that no bone moves hang on the mesh's own node. */
  #addSkin(k: number, name: string, { bones, binds, weights, loose }: FbxSkin): SkinWeights {
    const joints = bones.map((bone) => this.#nodes.indices.get(bone) ?? k);
    const inverseBinds: Transform[] = binds.map((bind) =>
      bind.map((value, c) => (c % 4 === 3 ? value * this.#unit : value)),
    );
    const own = joints.length;
    if (loose > 0) {
      joints.push(k);
      inverseBinds.push(identityTransform());
    }
    this.skins.push({ name, joints, inverseBinds });
    if (loose === 0) return weights;
    const all = { ...weights, bones: weights.bones.slice(), weights: weights.weights.slice() };
    for (let i = 0; i < all.weights.length; i += weights.slots) {
      if (all.weights[i] > 0) continue;
      all.bones[i] = own;
      all.weights[i] = 1;
    }
    return all;
  }

  /** Moves the mesh alone, and none of the node's children. */
  #geometric(model: FbxObject): Transform {
    const vector = (name: string, value: number) => this.#objects.vector(model, name, [value, value, value]);
    return composeTrs(
      {
        translation: Float64Array.from(vector('GeometricTranslation', 0)),
        rotation: quaternionOf(vector('GeometricRotation', 0), 0),
        scale: Float64Array.from(vector('GeometricScaling', 1)),
      },
      new Float64Array(12),
    );
  }

  /** Where a node is at rest, in the axes and the unit of the file. */
  #fileWorld(k: number): Transform {
    const back = invert(this.#axes, new Float64Array(12));
    const world = multiply(back, this.#nodes.worlds[k], new Float64Array(12));
    for (let r = 3; r < 12; r += 4) world[r] /= this.#unit;
    return isSingular(world) ? identityTransform() : world;
  }
}

function moved(points: Float32Array, a: Transform): Float32Array {
  const out = new Float32Array(points.length);
  for (let k = 0; k < points.length; k += 3) {
    for (let r = 0; r < 3; r++) {
      out[k + r] = a[4 * r] * points[k] + a[4 * r + 1] * points[k + 1] + a[4 * r + 2] * points[k + 2] + a[4 * r + 3];
    }
  }
  return out;
}

function movedTarget(deltas: Float32Array, vertexMap: Uint32Array, a: Transform): Float32Array | undefined {
  if (deltas.every((value) => value === 0)) return undefined;
  const out = new Float32Array(3 * vertexMap.length);
  vertexMap.forEach((i, v) => {
    for (let r = 0; r < 3; r++) {
      out[3 * v + r] = a[4 * r] * deltas[3 * i] + a[4 * r + 1] * deltas[3 * i + 1] + a[4 * r + 2] * deltas[3 * i + 2];
    }
  });
  return out;
}

function partsOf({ parts }: FbxGeometry, materials: readonly number[], mirrored: boolean, name: string) {
  return parts.map(({ material, triangles }) => ({
    name,
    material: materials[material] ?? materials[0] ?? -1,
    triangles: mirrored ? triangles.map((_, c) => triangles[c % 3 === 1 ? c + 1 : c % 3 === 2 ? c - 1 : c]) : triangles,
  }));
}
