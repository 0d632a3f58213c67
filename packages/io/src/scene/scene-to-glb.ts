/** A scene as a GLB: its nodes, meshes with skins and morph targets, materials and clips. */
import type { Accessor, Animation, Mesh as FileMesh, Node, Primitive } from '@gltf-transform/core';
import { InputError, type Mesh } from '@pelt/model';
import { GlbDocument } from '../gltf/glb-document.ts';
import { packWeights } from '../gltf/pack-weights.ts';
import type { GltfAnimation } from '../gltf/scene.ts';
import { vertexTangents } from '../gltf/tangents.ts';
import { toColumns } from '../gltf/transform.ts';
import { MaterialWriter } from '../gltf/write-materials.ts';
import { smoothNormals, unitVectors } from '../smooth-normals.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { FileScene, SceneBlock, SceneMesh, SceneSkin } from './file-scene.ts';

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
/** 65535 restarts a strip. */
const MAX_SHORT_INDEX = 65534;

export async function sceneToGlb(scene: FileScene, warnings: WarningTally): Promise<Uint8Array<ArrayBuffer>> {
  return new SceneWriter(scene, warnings).write();
}

class SceneWriter {
  readonly #scene: FileScene;
  readonly #warnings: WarningTally;
  readonly #glb = new GlbDocument();
  readonly #materials: MaterialWriter;

  constructor(scene: FileScene, warnings: WarningTally) {
    this.#scene = scene;
    this.#warnings = warnings;
    const blocks = scene.meshes.flatMap((mesh) => mesh.blocks);
    const uvSets = [blocks.some(({ uvs }) => uvs) ? 0 : -1, blocks.some(({ uvs2 }) => uvs2) ? 1 : -1];
    this.#materials = new MaterialWriter(
      this.#glb,
      { materials: scene.materials, images: scene.images } as unknown as Mesh,
      { uvSets: uvSets.filter((set) => set >= 0), normals: uvSets[0] === 0 },
      (message) => warnings.add(message),
    );
  }

  write(): Promise<Uint8Array<ArrayBuffer>> {
    const { nodes, meshes, skins, clips } = this.#scene;
    const glb = this.#glb;
    const files = nodes.map(({ name, trs, extras }) => glb.node(name, trs, extras));
    nodes.forEach(({ parent }, k) => {
      if (parent < 0) glb.scene.addChild(files[k]);
      else files[parent].addChild(files[k]);
    });
    const fileMeshes = meshes.map((mesh, m) => this.#mesh(mesh, this.#jointCount(m)));
    const fileSkins = skins.map((skin) => this.#skin(skin, files));
    nodes.forEach(({ mesh, skin, weights }, k) => {
      if (mesh < 0) return;
      files[k].setMesh(fileMeshes[mesh]);
      if (skin >= 0) files[k].setSkin(fileSkins[skin]);
      if (weights.some((weight) => weight !== 0)) files[k].setWeights([...weights]);
    });
    for (const clip of clips) this.#clip(clip, files);
    return glb.toBytes();
  }

  /** Joints of the skins that a mesh is shown with. */
  #jointCount(mesh: number): number {
    const skins = this.#scene.nodes.filter((node) => node.mesh === mesh && node.skin >= 0).map(({ skin }) => skin);
    return skins.reduce((most, skin) => Math.max(most, this.#scene.skins[skin].joints.length), 0);
  }

  #mesh({ name, blocks, targetNames }: SceneMesh, joints: number): FileMesh {
    const file = this.#glb.document.createMesh(name);
    if (targetNames.length > 0) {
      file.setExtras({ targetNames: [...targetNames] }).setWeights(targetNames.map(() => 0));
    }
    for (const block of blocks) {
      for (const primitive of this.#primitives(block, { name, targetNames }, joints)) file.addPrimitive(primitive);
    }
    return file;
  }

  #primitives(
    block: SceneBlock,
    { name, targetNames }: Pick<SceneMesh, 'name' | 'targetNames'>,
    joints: number,
  ): Primitive[] {
    const glb = this.#glb;
    const n = block.positions.length / 3;
    const parts = block.parts.filter(({ triangles }) => triangles.length > 0);
    if (parts.length === 0) throw new InputError(`mesh '${name}' has no triangles`);
    const attributes = this.#attributes(block, joints);
    const targets = block.targets.map((target) =>
      glb.accessor('VEC3', (target ?? new Float32Array(3 * n)) as Float32Array<ArrayBuffer>),
    );
    const Indices = n - 1 > MAX_SHORT_INDEX ? Uint32Array : Uint16Array;
    return parts.map(({ name: partName, material, triangles }) => {
      const primitive = glb.document
        .createPrimitive()
        .setIndices(glb.accessor('SCALAR', Indices.from(triangles)))
        .setMaterial(this.#materials.material(material));
      for (const [semantic, accessor] of attributes) primitive.setAttribute(semantic, accessor);
      targets.forEach((target, r) => {
        // The library writes the names of the first primitive's targets as those of the mesh.
        primitive.addTarget(glb.document.createPrimitiveTarget(targetNames[r]).setAttribute('POSITION', target));
      });
      if (partName && partName !== name) primitive.setExtras({ name: partName });
      return primitive;
    });
  }

  #attributes(block: SceneBlock, joints: number): [semantic: string, accessor: Accessor][] {
    const glb = this.#glb;
    const n = block.positions.length / 3;
    const { materials } = this.#scene;
    const found: [string, Accessor][] = [];
    const add = (semantic: string, type: 'VEC2' | 'VEC3' | 'VEC4', values: Float32Array) =>
      found.push([semantic, glb.accessor(type, values as Float32Array<ArrayBuffer>)]);
    const used = block.parts.flatMap(({ material }) => (material >= 0 ? [materials[material]] : []));
    const mapped = used.find(({ normalTexture }) => normalTexture)?.normalTexture;
    const triangles = joined(block);
    add('POSITION', 'VEC3', block.positions);
    const normals = block.normals ? unitVectors(block.normals) : mapped && smoothNormals(block.positions, triangles);
    if (normals) add('NORMAL', 'VEC3', normals);
    const textured = used.some((material) => material.baseColorTexture ?? material.emissiveTexture ?? mapped);
    const uvs = block.uvs ?? (block.uvs2 || textured ? new Float32Array(2 * n) : undefined);
    const mappedUvs = mapped?.uvSet === 1 ? block.uvs2 : uvs;
    if (normals && mappedUvs && mapped)
      add('TANGENT', 'VEC4', vertexTangents(block.positions, normals, mappedUvs, triangles));
    if (uvs) add('TEXCOORD_0', 'VEC2', uvs);
    if (block.uvs2) add('TEXCOORD_1', 'VEC2', block.uvs2);
    if (block.colors) add('COLOR_0', block.colors.size === 3 ? 'VEC3' : 'VEC4', block.colors.values);
    if (block.weights && joints > 0) {
      const all = Uint32Array.from({ length: n }, (_, i) => i);
      const { sets, dropped } = packWeights(block.weights, joints, all, 'float');
      sets.forEach((set, s) => {
        found.push(
          [`JOINTS_${s}`, glb.accessor('VEC4', set.joints)],
          [`WEIGHTS_${s}`, glb.accessor('VEC4', set.weights)],
        );
      });
      if (dropped > 0) this.#warnings.add('of more than sixteen weights of a vertex the smallest are left out');
    }
    return found;
  }

  #skin({ name, joints, inverseBinds }: SceneSkin, files: readonly Node[]) {
    const columns = new Float32Array(16 * joints.length);
    inverseBinds.forEach((bind, j) => {
      toColumns(bind, columns, 16 * j);
    });
    const skin = this.#glb.document.createSkin(name).setInverseBindMatrices(this.#glb.accessor('MAT4', columns));
    for (const joint of joints) skin.addJoint(files[joint]);
    return skin;
  }

  #clip({ name, channels }: GltfAnimation, files: readonly Node[]): void {
    if (channels.length === 0) return;
    const { document } = this.#glb;
    const animation: Animation = document.createAnimation(name);
    const inputs = new Map<string, Accessor>();
    for (const { node, path, interpolation, times, values } of channels) {
      // Curves with the same keys share their times.
      const key = times.join();
      const input = inputs.get(key) ?? this.#glb.accessor('SCALAR', times.slice());
      inputs.set(key, input);
      const sampler = document
        .createAnimationSampler()
        .setInput(input)
        .setOutput(this.#glb.accessor(TYPES[path], values.slice()))
        .setInterpolation(interpolation);
      animation.addSampler(sampler);
      animation.addChannel(
        document.createAnimationChannel().setTargetNode(files[node]).setTargetPath(path).setSampler(sampler),
      );
    }
  }
}

function joined({ parts }: SceneBlock): Uint32Array {
  if (parts.length === 1) return parts[0].triangles;
  const all = new Uint32Array(parts.reduce((sum, { triangles }) => sum + triangles.length, 0));
  let at = 0;
  for (const { triangles } of parts) {
    all.set(triangles, at);
    at += triangles.length;
  }
  return all;
}
