/**
 * A scene as a layer of USD: one SkelRoot with its meshes, skeletons, clips and materials, in metres with the y axis up.
 *
 * Reference: Pixar. Universal Scene Description, schemas UsdGeom, UsdSkel and UsdPreviewSurface.
 */
import type { FileScene } from '../scene/file-scene.ts';
import { frameRate } from '../scene/frame-rate.ts';
import type { WarningTally } from '../warning-tally.ts';
import { animationPrims } from './usd-animation.ts';
import { UsdBinds } from './usd-binds.ts';
import { UsdMaterials } from './usd-materials.ts';
import { UsdMeshes } from './usd-meshes.ts';
import { UsdJoints } from './usd-skeleton.ts';
import { double, identifier, matrix, type Prim, primLines, quoted, tokens } from './usda-text.ts';
import type { ZipEntry } from './zip-stored.ts';

export interface UsdLayer {
  readonly text: string;
  /** Pictures, by their paths relative to the layer. */
  readonly files: readonly ZipEntry[];
}

export function writeUsdScene(scene: FileScene, warnings: WarningTally): UsdLayer {
  const root = identifier(scene.name, new Set(), 'Root');
  const top = `/${root}`;
  const taken = new Set(['Materials']);
  const rate = frameRate(scene.clips);
  const joints = new UsdJoints(scene);
  const materials = new UsdMaterials(scene, `${top}/Materials`, warnings);
  const binds = new UsdBinds(scene, joints);
  const numbers = [...Array(binds.count).keys()];
  for (const k of numbers) taken.add(`Skeleton_${k}`);
  const meshes = new UsdMeshes(scene, joints, binds, materials, { root: top, taken }, warnings);
  const animations = animationPrims(scene, joints, meshes.shapes, rate, taken);
  if (scene.clips.length > 1) {
    warnings.add(`players show the first clip, '${scene.clips[0].name}'; the others are prims beside it`);
  }
  const rest = joints.restTransforms();
  const skeletons = numbers.map(
    (k): Prim => ({
      head: `def Skeleton "Skeleton_${k}"`,
      metadata: ['prepend apiSchemas = ["SkelBindingAPI"]'],
      body: [
        `uniform token[] joints = ${tokens(joints.paths)}`,
        `uniform token[] jointNames = ${tokens(joints.nodes.map((node) => scene.nodes[node].name))}`,
        `uniform matrix4d[] bindTransforms = [${binds.bindTransforms(k).map(matrix).join(', ')}]`,
        `uniform matrix4d[] restTransforms = [${rest.map(matrix).join(', ')}]`,
        `rel skel:animationSource = <${top}/${animations.ids[0]}>`,
      ],
    }),
  );
  const prim: Prim = {
    head: `def SkelRoot ${quoted(root)}`,
    metadata: ['kind = "component"'],
    body: [],
    children: [
      ...skeletons,
      ...animations.prims,
      ...meshes.prims,
      ...(materials.prims.length > 0 ? [{ head: 'def Scope "Materials"', body: [], children: materials.prims }] : []),
    ],
  };
  const [clip] = scene.clips;
  const stage = [
    '#usda 1.0',
    '(',
    `    defaultPrim = ${quoted(root)}`,
    '    doc = "pelt"',
    '    metersPerUnit = 1',
    '    upAxis = "Y"',
    `    timeCodesPerSecond = ${rate}`,
    `    framesPerSecond = ${rate}`,
    ...(clip
      ? [`    startTimeCode = ${double(clip.start * rate)}`, `    endTimeCode = ${double(clip.end * rate)}`]
      : []),
    ')',
    '',
  ];
  return { text: [...stage, ...primLines(prim), ''].join('\n'), files: materials.files };
}
