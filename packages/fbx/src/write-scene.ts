/** A scene of three as a GLB: nodes, meshes with skins and morph targets, materials, animations. */
import { Document, type Node, WebIO } from '@gltf-transform/core';
import { InputError } from '@pelt/model';
import { type Mesh, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import type { FbxScene } from './load-scene.ts';
import { writeAnimation } from './write-animation.ts';
import { MaterialWriter } from './write-materials.ts';
import { MeshWriter } from './write-mesh.ts';

const METRES_PER_CENTIMETRE = 0.01;

export async function writeScene({ root, pictures }: FbxScene, warn: (message: string) => void) {
  const document = new Document();
  document.getRoot().getAsset().generator = 'pelt';
  document.createBuffer();
  const nodes = new Map<Object3D, Node>();
  const top = writeNode(root, document, nodes);
  const { unitScaleFactor } = root.userData as { unitScaleFactor?: number };
  const scale = METRES_PER_CENTIMETRE * (unitScaleFactor && unitScaleFactor > 0 ? unitScaleFactor : 1);
  const { x, y, z } = new Vector3().copy(root.scale).multiplyScalar(scale);
  top.setScale([x, y, z]);
  document.createScene().addChild(top);

  const meshes = new MeshWriter(document, new MaterialWriter(document, pictures), warn);
  root.updateMatrixWorld(true);
  root.traverse((object) => {
    if ((object as Mesh).isMesh) meshes.write(object as Mesh | SkinnedMesh, nodes);
  });
  if (document.getRoot().listMeshes().length === 0) throw new InputError('the FBX holds no mesh');
  for (const clip of root.animations) writeAnimation(clip, root, document, nodes, warn);
  for (const property of document.getRoot().listAnimations()) {
    if (property.listChannels().length === 0) property.dispose();
  }
  return (await new WebIO().writeBinary(document)) as Uint8Array<ArrayBuffer>;
}

function writeNode(object: Object3D, document: Document, nodes: Map<Object3D, Node>): Node {
  const { position, quaternion, scale } = object;
  const node = document
    .createNode(object.name)
    .setTranslation([position.x, position.y, position.z])
    .setRotation([quaternion.x, quaternion.y, quaternion.z, quaternion.w])
    .setScale([scale.x, scale.y, scale.z]);
  nodes.set(object, node);
  for (const child of object.children) node.addChild(writeNode(child, document, nodes));
  return node;
}
