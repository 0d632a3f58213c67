/**
 * Gives meshes shaders of pelt's own on WebGPURenderer, both back ends: any number of weights, displacements of learnt
 * skins, dual quaternions, virtual bones blended on the GPU, exact normals.
 *
 *   enhance(gltf.scene, renderer, { normals: 'exact' });
 *   renderer.setAnimationLoop(() => { mixer.update(dt); updateSkins(scene, renderer); renderer.render(scene, camera); });
 */
import { resolveOptions, UsageError } from '@pelt/model';
import type { BufferGeometry, Object3D } from 'three';
import type { Renderer } from 'three/webgpu';
import { type MeshShader, type PeltMesh, peltMeshesOf, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import type { Skinning } from '../mesh/vertex-deformer.ts';
import { MeshTextures } from './mesh-textures.ts';
import { nodeMaterialOf } from './node-material.ts';
import { SkinProgram, type TexturedShader } from './skin-program.ts';
import { withCleanState } from './texel-pass.ts';

export interface EnhanceOptions {
  /**
   * `exact` normals are those of the posed surface, at the price of two passes over the vertices; `blended` ones turn
   * with the bones. `auto`: exact for learnt skins, whose blended normals are several degrees off; a file without normals
   * stays flat then.
   */
  readonly normals: 'auto' | 'exact' | 'blended';
  /** Dual quaternions keep the volume of twists and bends; for rigs whose bones turn and move only. */
  readonly skinning: Skinning;
}

export const ENHANCE_DEFAULTS: EnhanceOptions = { normals: 'auto', skinning: 'linear' };

/** Programs by geometry: the first of a kind is shared by all that follow. */
const programs = new WeakMap<BufferGeometry, Map<string, SkinProgram>>();

class GpuSkin implements MeshShader, TexturedShader {
  readonly program: SkinProgram;
  readonly textures: MeshTextures;

  constructor(program: SkinProgram, textures: MeshTextures) {
    this.program = program;
    this.textures = textures;
  }

  cloneFor(mesh: PeltMesh): MeshShader {
    return new LazyGpuSkin(this.program, mesh);
  }

  dispose(): void {
    this.textures.dispose();
  }
}

/** A copy gets its skeleton after its shader, so its textures are made at their first use. */
class LazyGpuSkin implements MeshShader, TexturedShader {
  readonly program: SkinProgram;
  readonly #mesh: PeltMesh;
  #textures: MeshTextures | undefined;

  constructor(program: SkinProgram, mesh: PeltMesh) {
    this.program = program;
    this.#mesh = mesh;
  }

  get textures(): MeshTextures {
    this.#textures ??= new MeshTextures(this.#mesh, this.program.choices.exact);
    return this.#textures;
  }

  cloneFor(mesh: PeltMesh): MeshShader {
    return new LazyGpuSkin(this.program, mesh);
  }

  dispose(): void {
    this.#textures?.dispose();
    this.#textures = undefined;
  }
}

/** Equips every mesh of ours in an object; returns them. Materials are replaced by node materials of the same looks. */
export function enhance(object: Object3D, renderer: Renderer, options?: Partial<EnhanceOptions>): PeltMesh[] {
  const { normals, skinning } = resolveOptions('enhance', ENHANCE_DEFAULTS, options);
  const meshes = peltMeshesOf(object);
  for (const mesh of meshes) {
    const skeleton = requirePaletteSkeleton(mesh);
    if (skinning === 'dual-quaternion' && (mesh.model.masters || mesh.model.envelope)) {
      throw new UsageError(`enhance: '${mesh.name}' is a ${mesh.model.kind} skin, which blends linearly`);
    }
    if (Array.isArray(mesh.material)) throw new UsageError(`enhance: '${mesh.name}' has several materials; split it`);
    mesh.shader?.dispose();
    mesh.skinning = skinning;
    const wanted = normals === 'exact' || (normals === 'auto' && mesh.model.kind === 'envelope');
    // Files without normals are shaded flat; those that are asked for make the mesh smooth.
    if (normals === 'exact' && !mesh.geometry.hasAttribute('normal')) mesh.geometry.computeVertexNormals();
    const exact = wanted && mesh.geometry.hasAttribute('normal') && (normals === 'exact' || !isFlat(mesh));
    const textures = new MeshTextures(mesh, exact);
    const program = programFor(mesh, exact, skinning === 'dual-quaternion', textures);
    const material = nodeMaterialOf(renderer, mesh.material);
    program.equip(material);
    if (exact) (material as { flatShading?: boolean }).flatShading = false;
    mesh.material = material;
    mesh.shader = new GpuSkin(program, textures);
    skeleton.compact = true;
  }
  return meshes;
}

/**
 * Brings the passes of enhanced meshes up to date: call it once per frame, before rendering. Meshes whose pose has not
 * changed cost nothing.
 */
export function updateSkins(object: Object3D, renderer: Renderer): void {
  if (object.matrixWorldAutoUpdate) object.updateMatrixWorld();
  if (!needsPass(object)) return;
  withCleanState(renderer, () => {
    runPasses(object, renderer);
  });
}

/** Bytes that a mesh uploads when its pose has changed. */
export function uploadBytes({ shader }: PeltMesh): number {
  return (shader as Partial<TexturedShader> | undefined)?.textures?.uploadBytes ?? 0;
}

function runPasses(object: Object3D, renderer: Renderer): void {
  const mesh = object as PeltMesh;
  if (mesh.isPeltMesh && mesh.visible) {
    const shader = mesh.shader as Partial<GpuSkin> | undefined;
    if (shader?.program?.hasPasses && shader.textures) {
      mesh.skeleton.update();
      if (shader.textures.sync()) shader.program.run(renderer, shader.textures);
    }
  }
  for (const child of object.children) runPasses(child, renderer);
}

function needsPass(object: Object3D): boolean {
  const shader = (object as PeltMesh).shader as Partial<GpuSkin> | undefined;
  return shader?.program?.hasPasses === true || object.children.some(needsPass);
}

function programFor(mesh: PeltMesh, exact: boolean, screw: boolean, textures: MeshTextures): SkinProgram {
  const { geometry, model } = mesh;
  const made = programs.get(geometry) ?? new Map<string, SkinProgram>();
  if (!programs.has(geometry)) {
    programs.set(geometry, made);
    geometry.addEventListener('dispose', function free() {
      for (const program of made.values()) program.dispose();
      programs.delete(geometry);
      geometry.removeEventListener('dispose', free);
    });
  }
  const key = `${model.kind} ${exact} ${screw}`;
  const program = made.get(key) ?? new SkinProgram(mesh, { exact, screw }, textures);
  made.set(key, program);
  return program;
}

function isFlat({ material }: PeltMesh): boolean {
  return !Array.isArray(material) && (material as { flatShading?: boolean }).flatShading === true;
}
