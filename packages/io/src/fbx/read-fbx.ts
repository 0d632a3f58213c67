/**
 * An FBX file as a scene: binary or text, versions 7.0 to 7.7, in metres and with the y axis up. Any bytes give a scene or
 * a `PeltError` that says what is wrong.
 *
 * The format is not published. What is read follows the files that the FBX SDK, Maya, 3ds Max, MotionBuilder and Blender
 * write; results are compared with three's FBXLoader, assimp and Blender.
 */
import { InputError } from '@pelt/model';
import type { FileScene, SceneNode } from '../scene/file-scene.ts';
import type { WarningTally } from '../warning-tally.ts';
import { axesOf } from './fbx-axes.ts';
import { readClips } from './fbx-clips.ts';
import { MaterialReader, type ResolvePicture } from './fbx-materials.ts';
import { MeshReader } from './fbx-meshes.ts';
import { FbxNodes } from './fbx-nodes.ts';
import { FbxObjects } from './fbx-objects.ts';
import { readAsciiFbx } from './read-ascii.ts';
import { isBinaryFbx, readBinaryFbx } from './read-binary.ts';

const METRES_PER_CENTIMETRE = 0.01;

export interface FbxContext {
  /** The file's name without its extension. */
  readonly name: string;
  /** Begins messages about polygons: `FBX 'arm.fbx'`. */
  readonly label: string;
  /** Bytes of a picture beside the file. */
  readonly resolve: ResolvePicture | undefined;
  readonly warnings: WarningTally;
}

export function readFbxScene(bytes: Uint8Array, { name, label, resolve, warnings }: FbxContext): FileScene {
  const objects = new FbxObjects(isBinaryFbx(bytes) ? readBinaryFbx(bytes) : readAsciiFbx(bytes));
  const factor = objects.setting('UnitScaleFactor', 1);
  const unit = METRES_PER_CENTIMETRE * (factor > 0 ? factor : 1);
  const axes = axesOf(objects);
  const tree = new FbxNodes(objects, unit, axes, warnings);
  const materials = new MaterialReader(objects, resolve, warnings);
  const reader = new MeshReader(objects, tree, materials, { unit, axes, label }, warnings);
  const nodes: SceneNode[] = tree.nodes.map((node, k) => ({ ...node, ...reader.read(k) }));
  if (reader.meshes.length === 0) {
    throw new InputError('it holds no mesh with polygons; export the mesh with it, or as glTF');
  }
  return {
    name,
    nodes,
    order: tree.order,
    meshes: reader.meshes,
    skins: reader.skins,
    clips: readClips(objects, tree, nodes, reader, warnings),
    materials: materials.materials,
    images: materials.images,
  };
}
