/**
 * Lets three's GLTFLoader open what pelt writes:
 *
 *   const loader = new GLTFLoader().register((parser) => new PeltLoaderPlugin(parser));
 *   const gltf = await loader.loadAsync('arm.glb');
 *   gltf.userData.pelt.meshes  // PeltMesh objects, which are in gltf.scene as well
 *
 * Skinned meshes of files with one of pelt's extensions, and those with more than four weights per vertex, become
 * `PeltMesh`; everything else is left as GLTFLoader makes it.
 */
import { type EigenSkinExamples, flattenedWeights, resolveOptions } from '@pelt/model';
import {
  BODY_EXTENSION,
  DUAL_QUATERNION_EXTENSION,
  EIGENSKIN_EXTENSION,
  ENVELOPE_EXTENSION,
  type FileLayers,
  POSER_EXTENSION,
  PUPPET_EXTENSION,
  requireVersion,
  SLIDERS_EXTENSION,
  TWO_LAYER_EXTENSION,
} from '@pelt/model/internal';
import { type AnimationClip, type Bone, SkinnedMesh } from 'three';
import type { GLTF, GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { MeshSliders } from '../mesh/mesh-sliders.ts';
import { PaletteSkeleton } from '../mesh/palette-skeleton.ts';
import { PeltMesh, peltMeshesOf } from '../mesh/pelt-mesh.ts';
import { bonesOf } from '../model/geometry-rig.ts';
import { setStockSkin, skinOf } from '../model/geometry-skin.ts';
import { partModel } from '../model/part-model.ts';
import { linearModel, type PeltModel } from '../model/pelt-model.ts';
import { SkinSurface } from '../model/skin-surface.ts';
import { readExtension, rootExtension } from './extension-arrays.ts';
import type { Besides } from './read-besides.ts';
import { layersModel, readEigenSkin, readEnvelopeModel, readLayers, readPoserModel } from './read-models.ts';
import { readSliders, useSliderTracks } from './read-sliders.ts';

export interface PeltLoaderOptions {
  /** Make every skinned mesh a `PeltMesh`, for its bounds, its raycasting, dual quaternions or exact normals. */
  readonly all: boolean;
}

export const PELT_LOADER_DEFAULTS: PeltLoaderOptions = { all: false };

/** What a file may have beside its skin. */
const BESIDES = [PUPPET_EXTENSION, BODY_EXTENSION];
/** Extensions whose files have meshes of ours. */
const OWN_EXTENSIONS = [
  ENVELOPE_EXTENSION,
  POSER_EXTENSION,
  TWO_LAYER_EXTENSION,
  EIGENSKIN_EXTENSION,
  DUAL_QUATERNION_EXTENSION,
  SLIDERS_EXTENSION,
  ...BESIDES,
];

/** What the plugin leaves in `gltf.userData.pelt`. */
export interface PeltContent extends Besides {
  readonly meshes: readonly PeltMesh[];
  /** Of a file with EigenSkin: what `PoseMorphs` drives its morph targets by. */
  readonly eigenskin?: EigenSkinExamples;
  /** Where the file has sliders. */
  readonly sliders?: MeshSliders;
}

/**
 * Plugin of three's GLTFLoader for what pelt writes.
 * @example
 * {@includeCode ../../examples/loading.ts}
 */
export class PeltLoaderPlugin implements GLTFLoaderPlugin {
  readonly name = 'PELT';
  readonly #parser: GLTFParser;
  readonly #options: PeltLoaderOptions;

  constructor(parser: GLTFParser, options?: Partial<PeltLoaderOptions>) {
    this.#parser = parser;
    this.#options = resolveOptions('PeltLoaderPlugin', PELT_LOADER_DEFAULTS, options);
  }

  loadMesh(meshIndex: number): ReturnType<GLTFParser['loadMesh']> | null {
    // GLTFLoader takes null for "not mine"; a promise of null breaks it.
    if (!this.#isWanted(meshIndex)) return null;
    const parser = this.#parser;
    return parser.loadMesh(meshIndex).then((loaded) => {
      if (loaded instanceof SkinnedMesh) return this.#replace(loaded);
      const parts = [...loaded.children];
      loaded.remove(...parts);
      for (const part of parts) loaded.add(part instanceof SkinnedMesh ? this.#replace(part) : part);
      return loaded;
    });
  }

  async afterRoot(gltf: GLTF): Promise<void> {
    const meshes = gltf.scenes.flatMap((scene) => peltMeshesOf(scene));
    const layers = await readLayers(this.#parser);
    const primitives: PeltMesh[][] = [];
    for (const mesh of meshes) {
      const found = primitives.find(([first]) => areOfOneMesh(first, mesh));
      if (found) found.push(mesh);
      else primitives.push([mesh]);
    }
    let sliders: MeshSliders | undefined;
    for (const parts of primitives) sliders = (await this.#setModels(gltf, parts, layers)) ?? sliders;
    const eigenskin = await readEigenSkin(this.#parser);
    const content: PeltContent = {
      meshes,
      ...(eigenskin && { eigenskin }),
      ...(sliders && { sliders }),
      ...(await this.#readBesides(meshes)),
    };
    gltf.userData.pelt = content;
  }

  /** What belongs to the joints and to all vertices, whatever skin follows. */
  async #readBesides(meshes: readonly PeltMesh[]): Promise<Besides> {
    const has = BESIDES.some((name) => rootExtension(this.#parser, name));
    if (meshes.length === 0 || !has) return {};
    const [{ name, skeleton }] = meshes;
    // Primitives over the same accessors have their vertices once.
    const arrays = new Set(meshes.map(({ geometry }) => geometry.getAttribute('position')));
    const vertices = [...arrays].reduce((sum, { count }) => sum + count, 0);
    const { readBesides } = await import('./read-besides.ts');
    return readBesides(this.#parser, { name, vertices, joints: skeleton.joints.length });
  }

  async #setModels(gltf: GLTF, parts: readonly PeltMesh[], layers?: FileLayers): Promise<MeshSliders | undefined> {
    const [{ name, skeleton }] = parts;
    const surface = new SkinSurface(parts.map(({ geometry }) => ({ geometry, model: linearModel(skinOf(geometry)) })));
    const { skin } = surface.model;
    const { joints: bones, inverses: boneInverses } = skeleton;
    const mesh = () => ({ name, positions: surface.positions(), triangles: surface.triangles() });
    const rig = () => ({ name, mesh: mesh(), bones: bonesOf(bones, boneInverses), weights: skin });
    const has = (extension: string) => rootExtension(this.#parser, extension) !== undefined;
    let model: PeltModel | undefined;
    if (has(ENVELOPE_EXTENSION)) model = await readEnvelopeModel(this.#parser, rig());
    else if (layers) model = layersModel(layers, skin, bones.length);
    const kept = model?.masters ? model.added : 0;
    const driven = model?.masters ? flattenedWeights({ masters: model.masters, vertices: skin }) : skin;
    if (has(POSER_EXTENSION)) {
      // What it poses are joints with linear weights, whatever skin follows them.
      const bound = { ...rig(), bones: bonesOf(bones.slice(kept), boneInverses.slice(kept)), weights: driven };
      const posing = await readPoserModel(this.#parser, bound, surface);
      model = model && posing ? { ...model, poser: posing.poser } : posing;
    }
    const found = await readSliders(this.#parser, bones.length);
    const following = found && { sliders: found.sliders };
    const whole = { ...(model ?? linearModel(skin)), ...following };
    const own = new PaletteSkeleton(bones.slice(kept), boneInverses.slice(kept), whole);
    if (kept > 0) dropBones(gltf, bones.slice(0, kept));
    const posed = whole.poser && (!surface.isShared || whole.kind !== 'poser') ? mesh() : undefined;
    const bindings = parts.map((part) => part.bindMatrix.clone());
    const blending = await readExtension(this.#parser, DUAL_QUATERNION_EXTENSION);
    if (blending) requireVersion(blending);
    const skinning = blending ? 'dual-quaternion' : 'linear';
    parts.forEach((part, k) => {
      const { geometry } = part;
      const first = surface.offsetOf(geometry);
      if (surface.isShared)
        part.model = posed ? { ...whole, part: { surface: posed, weights: driven, first: 0 } } : whole;
      else if (!model) part.model = { ...linearModel(skinOf(geometry)), ...following };
      else {
        const own = partModel(whole, first, geometry.getAttribute('position').count);
        part.model = posed ? { ...own, part: { surface: posed, weights: driven, first } } : own;
      }
      if (whole.envelope) setStockSkin(geometry, part.model.skin);
      // The weights of morph targets belong to the mesh; what sets them on one primitive sets them on all.
      if (surface.isShared) part.morphTargetInfluences = parts[0].morphTargetInfluences;
      part.bind(own, bindings[k]);
      part.skinning = skinning;
    });
    if (!found) return undefined;
    const sliders = new MeshSliders(parts, found.sliders);
    useSliderTracks(gltf.animations, found.clips, parts[0]);
    return sliders;
  }

  #isWanted(meshIndex: number): boolean {
    const { json } = this.#parser;
    const nodes: { mesh?: number; skin?: number }[] = json.nodes ?? [];
    if (!nodes.some((node) => node.mesh === meshIndex && node.skin !== undefined)) return false;
    if (this.#options.all) return true;
    if (OWN_EXTENSIONS.some((name) => rootExtension(this.#parser, name))) return true;
    const primitives: { attributes?: Record<string, number> }[] = json.meshes[meshIndex].primitives;
    return primitives.some(({ attributes }) => attributes?.JOINTS_1 !== undefined);
  }

  #replace(mesh: SkinnedMesh): PeltMesh {
    const own = new PeltMesh(mesh.geometry, mesh.material);
    own.name = mesh.name;
    own.userData = mesh.userData;
    own.morphTargetInfluences = mesh.morphTargetInfluences;
    own.morphTargetDictionary = mesh.morphTargetDictionary;
    const association = this.#parser.associations.get(mesh);
    if (association) this.#parser.associations.set(own, association);
    return own;
  }
}

/** Primitives of one mesh stand in one place on the same joints, and share a palette. */
function areOfOneMesh(a: PeltMesh, b: PeltMesh): boolean {
  a.updateMatrix();
  b.updateMatrix();
  return a.parent === b.parent && a.skeleton.joints[0] === b.skeleton.joints[0] && a.matrix.equals(b.matrix);
}

/** Virtual bones are computed from now on: their nodes and curves would only cost time. */
function dropBones(gltf: GLTF, bones: readonly Bone[]): void {
  const names = new Set(bones.map((bone) => bone.name));
  for (const bone of bones) if (bone.children.length === 0) bone.removeFromParent();
  const keeps = ({ name }: { name: string }) => !names.has(name.slice(0, name.lastIndexOf('.')));
  gltf.animations.forEach((clip: AnimationClip) => {
    clip.tracks = clip.tracks.filter(keeps);
  });
}
