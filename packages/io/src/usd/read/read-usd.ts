/** A USD file as a scene, in metres and with the y axis up. Any bytes give a scene or a `PeltError` that says what is wrong. */
import { gatherWeights, InputError } from '@pelt/model';
import type { FileScene, SceneMesh, SceneNode } from '../../scene/file-scene.ts';
import type { WarningTally } from '../../warning-tally.ts';
import type { StagePrim } from './compose.ts';
import type { OpenedUsd } from './open-usd.ts';
import { type ShapedNode, UsdClips } from './usd-clips.ts';
import { readGeometry, type UsdGeometry, uvNames } from './usd-geometry.ts';
import { isNumbers, wordsOf } from './usd-layer.ts';
import { UsdMaterialReader } from './usd-material-reader.ts';
import { UsdNodes } from './usd-nodes.ts';
import { readShapes, targetWeight, type UsdTarget } from './usd-shapes.ts';
import { UsdSkins } from './usd-skin.ts';

export interface UsdScene {
  readonly scene: FileScene;
  readonly nodes: UsdNodes;
  /** Meshes by their nodes, for samples of their points. */
  readonly meshes: readonly { readonly node: number; readonly prim: StagePrim; readonly vertexMap: Uint32Array }[];
}

const BINDINGS = ['material:binding', 'material:binding:preview', 'material:binding:full'];

/** @param label  begins messages about polygons: `USD 'arm.usdc'` */
export function readUsdScene(
  { stage, picture }: OpenedUsd,
  name: string,
  label: string,
  warnings: WarningTally,
): UsdScene {
  const nodes = new UsdNodes(stage, warnings);
  const skins = new UsdSkins(stage, nodes, warnings);
  const prims = [...nodes.indices].flatMap(([path, node]) => {
    const prim = stage.find(path);
    return prim?.type === 'Mesh' ? [{ prim, node }] : [];
  });
  const sets = [...new Set(prims.flatMap(({ prim }) => uvNames(prim)))];
  if (sets.length > 2) warnings.add(`UV sets after '${sets[0]}' and '${sets[1]}' are left out`);
  const used = sets.slice(0, 2);
  const materials = new UsdMaterialReader(stage, picture, used, warnings);
  const meshes: SceneMesh[] = [];
  const shaped: ShapedNode[] = [];
  const found: { node: number; prim: StagePrim; vertexMap: Uint32Array }[] = [];
  const shown = new Map<number, Pick<SceneNode, 'mesh' | 'skin' | 'weights'>>();
  for (const { prim, node } of prims) {
    const geometry = readGeometry(prim, used, label, warnings);
    if (!geometry) {
      warnings.add(`mesh '${prim.path}' has no faces and is left out`);
      continue;
    }
    const skin = skins.read(prim, geometry.points);
    const targets = readShapes(stage, prim, geometry.points, warnings);
    const skeleton = skins.skeletons.get(skins.inherited(prim, 'skel:skeleton')[0] ?? '');
    if (targets.length > 0) shaped.push({ node, targets, skeleton });
    const binding = (one: StagePrim) =>
      BINDINGS.flatMap((key) => skins.inherited(one, key)).find((path) => stage.find(path) !== undefined);
    const whole = materials.material(binding(prim));
    const own = whole < 0 && geometry.color ? materials.plain(geometry.color) : whole;
    meshes.push({
      name: nodes.get(node).name,
      targetNames: targets.map((target) => target.name),
      blocks: [
        {
          positions: geometry.positions,
          normals: geometry.normals,
          uvs: geometry.uvs[0],
          uvs2: geometry.uvs[1],
          colors: geometry.colors,
          weights: skin && gatherWeights(skin.weights, geometry.vertexMap),
          targets: targets.map(({ offsets }) => spreadOffsets(offsets, geometry)),
          parts: geometry.parts.map(({ subset, triangles }) => {
            const [path] = subset?.properties.get('material:binding')?.targets ?? [];
            return { name: nodes.get(node).name, material: path ? materials.material(path) : own, triangles };
          }),
        },
      ],
    });
    const animation = stage.find(skeleton?.animations[0] ?? '');
    const weights = restWeights(animation, targets);
    shown.set(node, { mesh: meshes.length - 1, skin: skin?.skin ?? -1, weights });
    found.push({ node, prim, vertexMap: geometry.vertexMap });
  }
  if (meshes.length === 0) throw new InputError('it holds no mesh with faces; export the mesh with it, or as glTF');
  const clips = new UsdClips(nodes);
  const skeletons = [...skins.skeletons.values()];
  const poses = new Map(
    skeletons.flatMap((skeleton) => {
      const animation = stage.find(skeleton.animations[0] ?? '');
      return animation ? [...clips.still(animation, skeleton)] : [];
    }),
  );
  const animations = skeletons.length > 0 ? animationsIn(stage.prims) : [];
  const sceneNodes = nodes.nodes.map(({ name: nodeName, parent, trs }, k): SceneNode => {
    return {
      name: nodeName,
      parent,
      trs: { ...trs, ...poses.get(k) },
      ...(shown.get(k) ?? { mesh: -1, skin: -1, weights: [] }),
    };
  });
  const scene: FileScene = {
    name,
    nodes: sceneNodes,
    order: Uint32Array.from(sceneNodes, (_, k) => k),
    meshes,
    skins: skins.skins,
    clips: clips.read(skeletons, shaped, animations, (path) => stage.find(path)),
    materials: materials.materials,
    images: materials.images,
  };
  return { scene, nodes, meshes: found };
}

function animationsIn(prims: readonly StagePrim[]): StagePrim[] {
  return prims.flatMap((prim) => [...(prim.type === 'SkelAnimation' ? [prim] : []), ...animationsIn(prim.children)]);
}

/** Weights of an animation that does not move them. */
function restWeights(animation: StagePrim | undefined, targets: readonly UsdTarget[]): number[] {
  const names = wordsOf(animation?.properties.get('blendShapes')?.value());
  const property = animation?.properties.get('blendShapeWeights');
  const values = property && !property.samples ? property.value() : undefined;
  return targets.map((target) => {
    const weight = isNumbers(values) ? values[names.indexOf(target.shape)] : 0;
    return targetWeight(target, Number.isFinite(weight) ? weight : 0);
  });
}

function spreadOffsets(offsets: Float32Array, { vertexMap }: UsdGeometry): Float32Array | undefined {
  if (offsets.every((value) => value === 0)) return undefined;
  const out = new Float32Array(3 * vertexMap.length);
  vertexMap.forEach((i, v) => {
    out.set(offsets.subarray(3 * i, 3 * i + 3), 3 * v);
  });
  return out;
}
