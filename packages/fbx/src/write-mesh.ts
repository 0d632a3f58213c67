/** Meshes of three as those of glTF: one primitive per material, all over the same vertices; skins with their binds. */
import type { Accessor, Document, Mesh as FileMesh, Node, Skin } from '@gltf-transform/core';
import {
  type BufferGeometry,
  type Material,
  Matrix4,
  type Mesh,
  type Object3D,
  type Skeleton,
  type SkinnedMesh,
} from 'three';
import { mergeCorners } from './merge-corners.ts';
import type { MaterialWriter } from './write-materials.ts';

const SEMANTICS = [
  ['position', 'POSITION', 'VEC3'],
  ['normal', 'NORMAL', 'VEC3'],
  ['uv', 'TEXCOORD_0', 'VEC2'],
  ['uv1', 'TEXCOORD_1', 'VEC2'],
  ['color', 'COLOR_0', 'VEC3'],
  ['skinWeight', 'WEIGHTS_0', 'VEC4'],
] as const;

type Numbers = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

export class MeshWriter {
  readonly #document: Document;
  readonly #materials: MaterialWriter;
  readonly #warn: (message: string) => void;
  readonly #meshes = new Map<BufferGeometry, FileMesh>();
  readonly #skins = new Map<Skeleton, Skin>();

  constructor(document: Document, materials: MaterialWriter, warn: (message: string) => void) {
    this.#document = document;
    this.#materials = materials;
    this.#warn = warn;
  }

  write(mesh: Mesh | SkinnedMesh, nodes: ReadonlyMap<Object3D, Node>): void {
    const written = this.#meshes.get(mesh.geometry) ?? this.#writeMesh(mesh);
    if (!written) return;
    this.#meshes.set(mesh.geometry, written);
    const node = nodes.get(mesh)?.setMesh(written);
    if ((mesh as SkinnedMesh).isSkinnedMesh) node?.setSkin(this.#writeSkin(mesh as SkinnedMesh, nodes));
  }

  #writeMesh({ name, geometry, material, morphTargetDictionary }: Mesh): FileMesh | undefined {
    const { indices, corners } = mergeCorners(geometry);
    if (indices.length < 3) {
      this.#warn(`mesh '${name}' has no triangles and is left out`);
      return undefined;
    }
    const attributes: [semantic: string, accessor: Accessor][] = SEMANTICS.flatMap(([key, semantic, type]) => {
      const attribute = geometry.attributes[key];
      return attribute ? [[semantic, this.#accessor(type, gather(attribute, corners))]] : [];
    });
    const joints = geometry.attributes.skinIndex;
    if (joints) attributes.push(['JOINTS_0', this.#accessor('VEC4', Uint16Array.from(gather(joints, corners)))]);
    const targets = (geometry.morphAttributes.position ?? []).map((target) =>
      this.#accessor(
        'VEC3',
        difference(gather(target, corners), gather(geometry.attributes.position, corners), geometry),
      ),
    );
    const file = this.#document.createMesh(geometry.name || name);
    if (targets.length > 0) {
      const names = Object.keys(morphTargetDictionary ?? {});
      file.setExtras({ targetNames: names }).setWeights(targets.map(() => 0));
    }
    for (const { start, count, materialIndex = 0 } of groupsOf(geometry)) {
      const own = Array.isArray(material) ? (material[materialIndex] ?? material[0]) : (material as Material);
      const primitive = this.#document
        .createPrimitive()
        .setIndices(this.#accessor('SCALAR', indices.slice(start, start + count)))
        .setMaterial(own ? this.#materials.material(own) : null);
      for (const [semantic, accessor] of attributes) primitive.setAttribute(semantic, accessor);
      for (const target of targets) {
        primitive.addTarget(this.#document.createPrimitiveTarget().setAttribute('POSITION', target));
      }
      file.addPrimitive(primitive);
    }
    return file;
  }

  /** three skins by boneWorld · boneInverse · bindMatrix; glTF by joint · inverseBind. */
  #writeSkin({ skeleton, bindMatrix }: SkinnedMesh, nodes: ReadonlyMap<Object3D, Node>): Skin {
    const known = this.#skins.get(skeleton);
    if (known) return known;
    const skin = this.#document.createSkin();
    const inverses = new Float32Array(16 * skeleton.bones.length);
    skeleton.bones.forEach((bone, j) => {
      const node = nodes.get(bone);
      if (node) skin.addJoint(node);
      inverses.set(new Matrix4().multiplyMatrices(skeleton.boneInverses[j], bindMatrix).elements, 16 * j);
      // A column-major affine matrix ends in exactly 0, 0, 0, 1.
      for (const [k, value] of [
        [3, 0],
        [7, 0],
        [11, 0],
        [15, 1],
      ])
        inverses[16 * j + k] = value;
    });
    this.#skins.set(skeleton, skin);
    return skin.setInverseBindMatrices(this.#accessor('MAT4', inverses));
  }

  #accessor(type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4', values: Numbers): Accessor {
    const [buffer] = this.#document.getRoot().listBuffers();
    return this.#document.createAccessor().setType(type).setArray(values).setBuffer(buffer);
  }
}

function gather({ itemSize, array }: { itemSize: number; array: ArrayLike<number> }, corners: Uint32Array) {
  const out = new Float32Array(corners.length * itemSize);
  corners.forEach((corner, i) => {
    for (let k = 0; k < itemSize; k++) out[itemSize * i + k] = array[itemSize * corner + k];
  });
  return out;
}

/** Morph targets are differences in glTF; in three they may be places. */
function difference(target: Float32Array<ArrayBuffer>, rest: Float32Array, { morphTargetsRelative }: BufferGeometry) {
  return morphTargetsRelative ? target : target.map((value, k) => value - rest[k]);
}

function groupsOf({ groups, attributes }: BufferGeometry) {
  const count = attributes.position.count - (attributes.position.count % 3);
  return groups.length > 0 ? groups : [{ start: 0, count, materialIndex: 0 }];
}
