/**
 * Gives meshes shaders of pelt's own on WebGPURenderer, both back ends: any number of weights, displacements of learnt
 * skins, dual quaternions, virtual bones blended on the GPU, exact normals.
 *
 *   enhance(gltf.scene, renderer, { normals: 'exact' });
 *   renderer.setAnimationLoop(() => { mixer.update(dt); updateSkins(scene, renderer); renderer.render(scene, camera); });
 */
import { resolveOptions, UsageError } from '@pelt/model';
import { type BufferAttribute, type BufferGeometry, DynamicDrawUsage, type Material, type Object3D } from 'three';
import type { Renderer } from 'three/webgpu';
import type { PaletteSkeleton } from '../mesh/palette-skeleton.ts';
import { type MeshShader, type PeltMesh, peltMeshesOf, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import type { Skinning } from '../mesh/vertex-deformer.ts';
import { SkinSurface } from '../model/skin-surface.ts';
import { MeshTextures } from './mesh-textures.ts';
import { nodeMaterialOf } from './node-material.ts';
import { type SkinChoices, SkinProgram, type TexturedShader } from './skin-program.ts';
import { withCleanState } from './texel-pass.ts';

export interface EnhanceOptions {
  /**
   * `exact` normals are those of the posed surface, at the price of two passes over the vertices; `blended` ones turn
   * with the bones. `auto`: exact for learnt skins, whose blended normals are several degrees off; a file without normals
   * stays flat then.
   */
  readonly normals: 'auto' | 'exact' | 'blended';
  /**
   * Dual quaternions keep the volume of twists and bends; for rigs whose bones turn and move only. `auto`: what the mesh
   * has, from its file or as it was set.
   */
  readonly skinning: Skinning | 'auto';
}

export const ENHANCE_DEFAULTS: EnhanceOptions = { normals: 'auto', skinning: 'auto' };

export interface UpdateSkinsOptions {
  /**
   * Where the positions and normals of meshes with exact normals are computed. `cpu` is for renderers in software, for
   * which passes are slow: about 5 ms in place of 20 at 30 000 vertices.
   */
  readonly passes: 'gpu' | 'cpu';
}

export const UPDATE_SKINS_DEFAULTS: UpdateSkinsOptions = { passes: 'gpu' };

/** Programs by the first geometry of their surface: the first of a kind is shared by all that follow. */
const programs = new WeakMap<BufferGeometry, Map<string, SkinProgram>>();

/** What a program shows of one skeleton's pose: shared by the parts of a surface, freed with the last of them. */
interface SharedTextures {
  readonly textures: MeshTextures;
  /** Amounts of the morph targets in them; undefined where they hold none. */
  readonly influences: readonly number[] | undefined;
  users: number;
}

const shared = new WeakMap<SkinProgram, WeakMap<PaletteSkeleton, SharedTextures[]>>();

/** A copy gets its skeleton after its shader, so textures are made at their first use. */
class GpuSkin implements MeshShader, TexturedShader {
  readonly program: SkinProgram;
  readonly #mesh: PeltMesh;
  #skeleton: PaletteSkeleton | undefined;
  #own: SharedTextures | undefined;

  constructor(program: SkinProgram, mesh: PeltMesh) {
    this.program = program;
    this.#mesh = mesh;
  }

  get textures(): MeshTextures {
    const { skeleton } = this.#mesh;
    if (!this.#own || this.#skeleton !== skeleton) {
      this.dispose();
      this.#skeleton = skeleton;
      this.#own = texturesOf(this.program, this.#mesh);
      this.#own.users++;
    }
    return this.#own.textures;
  }

  cloneFor(mesh: PeltMesh): MeshShader {
    return new GpuSkin(this.program, mesh);
  }

  dispose(): void {
    const own = this.#own;
    this.#own = undefined;
    if (!own || --own.users > 0) return;
    own.textures.dispose();
    const all = this.#skeleton && shared.get(this.program)?.get(this.#skeleton);
    all?.splice(all.indexOf(own), 1);
  }
}

function texturesOf(program: SkinProgram, mesh: PeltMesh): SharedTextures {
  const bySkeleton = shared.get(program) ?? new WeakMap<PaletteSkeleton, SharedTextures[]>();
  shared.set(program, bySkeleton);
  const all = bySkeleton.get(mesh.skeleton) ?? [];
  bySkeleton.set(mesh.skeleton, all);
  const { exact } = program.choices;
  const influences = exact ? mesh.morphTargetInfluences : undefined;
  const found = all.find((other) => other.influences === influences);
  if (found) return found;
  const made = { textures: new MeshTextures(mesh, exact, program.surface.count), influences, users: 0 };
  all.push(made);
  return made;
}

/**
 * Equips every mesh of ours in an object; returns them. Materials are replaced by node materials of the same looks.
 * @example
 * {@includeCode ../../examples/shaders.page.ts}
 */
export function enhance(object: Object3D, renderer: Renderer, options?: Partial<EnhanceOptions>): PeltMesh[] {
  const { normals, skinning } = resolveOptions('enhance', ENHANCE_DEFAULTS, options);
  const meshes = peltMeshesOf(object);
  for (const mesh of meshes) {
    requirePaletteSkeleton(mesh);
    if (skinning === 'dual-quaternion' && (mesh.model.masters || mesh.model.envelope)) {
      throw new UsageError(`enhance: '${mesh.name}' is a ${mesh.model.kind} skin, which blends linearly`);
    }
    if (Array.isArray(mesh.material)) throw new UsageError(`enhance: '${mesh.name}' has several materials; split it`);
  }
  for (const { parts, exact } of surfacesOf(meshes, normals)) {
    const blending = skinning === 'auto' ? parts[0].skinning : skinning;
    const screw = blending === 'dual-quaternion';
    for (const mesh of parts) {
      mesh.shader?.dispose();
      mesh.skinning = blending;
    }
    const program = programFor(parts, { exact, screw });
    for (const mesh of parts) {
      const material = nodeMaterialOf(renderer, mesh.material as Material);
      program.equip(material, mesh);
      if (exact) (material as { flatShading?: boolean }).flatShading = false;
      mesh.material = material;
      mesh.shader = new GpuSkin(program, mesh);
      mesh.skeleton.compact = true;
    }
  }
  return meshes;
}

/** Meshes by surface: primitives of one glTF mesh lie side by side on one palette. */
function surfacesOf(
  meshes: readonly PeltMesh[],
  normals: EnhanceOptions['normals'],
): { readonly parts: PeltMesh[]; readonly exact: boolean }[] {
  const surfaces: { readonly parts: PeltMesh[]; readonly exact: boolean }[] = [];
  for (const mesh of meshes) {
    const exact = wantsExact(mesh, normals);
    const found = surfaces.find(
      ({ parts: [first], exact: same }) =>
        same === exact && first.skeleton === mesh.skeleton && first.parent === mesh.parent,
    );
    if (found) found.parts.push(mesh);
    else surfaces.push({ parts: [mesh], exact });
  }
  return surfaces;
}

function wantsExact(mesh: PeltMesh, normals: EnhanceOptions['normals']): boolean {
  const { geometry, model } = mesh;
  // Files without normals are shaded flat; those that are asked for make the mesh smooth.
  if (normals === 'exact' && !geometry.hasAttribute('normal')) geometry.computeVertexNormals();
  if (!geometry.hasAttribute('normal')) return false;
  // Shapes that a `VolumeDriver` writes come with their normals; tables of their rest pose would be out of date.
  if ((geometry.getAttribute('position') as BufferAttribute).usage === DynamicDrawUsage) return false;
  return normals === 'exact' || (normals === 'auto' && model.kind === 'envelope' && !isFlat(mesh));
}

/**
 * Brings the passes of enhanced meshes up to date: call it once per frame, before rendering. Meshes whose pose has not
 * changed cost nothing.
 *
 * @example
 * {@includeCode ../../examples/shaders.page.ts}
 */
export function updateSkins(object: Object3D, renderer: Renderer, options?: Partial<UpdateSkinsOptions>): void {
  const { passes } = resolveOptions('updateSkins', UPDATE_SKINS_DEFAULTS, options);
  if (object.matrixWorldAutoUpdate) object.updateMatrixWorld();
  if (!needsPass(object)) return;
  withCleanState(renderer, () => {
    runPasses(object, renderer, passes);
  });
}

/**
 * Bytes that a mesh uploads when its pose has changed.
 * @example
 * {@includeCode ../../examples/shaders.page.ts}
 */
export function uploadBytes({ shader }: PeltMesh): number {
  return (shader as Partial<TexturedShader> | undefined)?.textures?.uploadBytes ?? 0;
}

function runPasses(object: Object3D, renderer: Renderer, passes: UpdateSkinsOptions['passes']): void {
  const mesh = object as PeltMesh;
  if (mesh.isPeltMesh && mesh.visible) {
    const shader = mesh.shader as Partial<GpuSkin> | undefined;
    if (shader?.program?.hasPasses && shader.textures) {
      mesh.skeleton.update();
      if (shader.textures.sync()) {
        if (passes === 'cpu' && shader.program.choices.exact) shader.program.runOnCpu(mesh, shader.textures);
        else shader.program.run(renderer, shader.textures);
      }
    }
  }
  for (const child of object.children) runPasses(child, renderer, passes);
}

function needsPass(object: Object3D): boolean {
  const shader = (object as PeltMesh).shader as Partial<GpuSkin> | undefined;
  return shader?.program?.hasPasses === true || object.children.some(needsPass);
}

function programFor(parts: readonly PeltMesh[], choices: SkinChoices): SkinProgram {
  const [first] = parts;
  const surface = new SkinSurface(parts);
  const made = programs.get(first.geometry) ?? new Map<string, SkinProgram>();
  programs.set(first.geometry, made);
  const key = [first.model.kind, choices.exact, choices.screw, ...surface.geometries.map(({ id }) => id)].join();
  const found = made.get(key);
  if (found) return found;
  const textures = new MeshTextures(first, choices.exact, surface.count);
  const program = new SkinProgram(surface, first.skeleton.joints.length, choices, textures);
  const influences = choices.exact ? first.morphTargetInfluences : undefined;
  shared.set(program, new WeakMap([[first.skeleton, [{ textures, influences, users: 0 }]]]));
  made.set(key, program);
  let left = surface.geometries.length;
  for (const geometry of surface.geometries) {
    geometry.addEventListener('dispose', function free() {
      geometry.removeEventListener('dispose', free);
      if (--left > 0) return;
      program.dispose();
      made.delete(key);
    });
  }
  return program;
}

function isFlat({ material }: PeltMesh): boolean {
  return !Array.isArray(material) && (material as { flatShading?: boolean }).flatShading === true;
}
