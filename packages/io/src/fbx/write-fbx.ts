/**
 * A scene as a binary FBX 7.4: nodes, skinned meshes, blend shapes, materials with their pictures inside, and a take for
 * each clip; in centimetres, with the y axis up, as the tools that read it expect.
 */
import { composeTrs, identityTrs, multiply, type Transform, type Trs } from '../gltf/transform.ts';
import type { FileScene, SceneNode } from '../scene/file-scene.ts';
import { frameRate } from '../scene/frame-rate.ts';
import type { WarningTally } from '../warning-tally.ts';
import { eulerOf } from './euler-angles.ts';
import { withResting } from './resting-channels.ts';
import { double, flag, int, long, node, writeBinaryFbx } from './write-binary.ts';
import { FbxDocument, properties } from './write-document.ts';
import { CENTIMETRES, type JoinedMesh, writeGeometry, writeShapes } from './write-geometry.ts';
import { FbxMaterials } from './write-materials.ts';
import { columnsOf, type SkinPlace, skinPlace, writeSkin } from './write-skin.ts';
import { writeTake } from './write-takes.ts';

/** A child takes its parent's scale as matrices do. */
const INHERIT_ALL = 1;

export function writeFbxScene(scene: FileScene, warnings: WarningTally): Uint8Array<ArrayBuffer> {
  return new FbxWriter(scene, warnings).write();
}

class FbxWriter {
  readonly #scene: FileScene;
  readonly #document = new FbxDocument();
  readonly #materials: FbxMaterials;
  readonly #worlds: readonly Transform[];
  readonly #limbs: ReadonlySet<number>;
  readonly #names: readonly string[];
  readonly #places = new Map<number, SkinPlace>();
  readonly #models: number[];
  readonly #geometries = new Map<string, { readonly mesh: JoinedMesh; readonly channels: readonly number[] }>();
  readonly #channels = new Map<number, readonly number[]>();
  /** Models and where they were bound. */
  readonly #bound = new Map<number, Transform>();

  constructor(scene: FileScene, warnings: WarningTally) {
    this.#scene = scene;
    this.#materials = new FbxMaterials(this.#document, scene, warnings);
    this.#worlds = worldsOf(scene);
    this.#limbs = limbsOf(scene);
    this.#names = uniqueNames(scene.nodes, this.#limbs, warnings);
    scene.nodes.forEach(({ mesh, skin }, k) => {
      if (mesh < 0 || skin < 0 || !scene.meshes[mesh].blocks.some((block) => block.weights)) return;
      this.#places.set(k, skinPlace(scene.skins[skin], scene, this.#limbs, this.#worlds));
    });
    this.#models = scene.nodes.map((own, k) => this.#model(own, k));
  }

  write(): Uint8Array<ArrayBuffer> {
    const { nodes, clips } = this.#scene;
    nodes.forEach(({ parent }, k) => {
      // A skinned mesh hangs beside its skeleton, as its own node moves nothing of it.
      const place = this.#limbs.has(k) || this.#isParent(k) ? undefined : this.#places.get(k);
      this.#document.connect(this.#models[k], this.#modelOf(place ? place.home : parent));
    });
    nodes.forEach((own, k) => {
      if (own.mesh >= 0) this.#mesh(own, k);
    });
    this.#bindPose();
    // What moves the node of a skinned mesh moves nothing that is seen.
    const seen = clips.map((clip) => ({
      ...clip,
      channels: clip.channels.filter(
        ({ node: k, path }) => path === 'weights' || !this.#places.has(k) || this.#limbs.has(k) || this.#isParent(k),
      ),
    }));
    for (const clip of withResting(seen, nodes)) {
      writeTake(this.#document, clip, { models: this.#models, channels: this.#channels });
    }
    return writeBinaryFbx(this.#document.nodes(frameRate(clips)));
  }

  /** The model of a node; one that shows a mesh alone is the mesh's own. */
  #model({ trs, mesh, skin }: SceneNode, k: number): number {
    const limb = this.#limbs.has(k);
    const ownMesh = mesh >= 0 && !limb && (skin < 0 || !this.#isParent(k));
    const name = this.#names[k];
    if (ownMesh) return this.#writeModel(name, 'Mesh', skin < 0 ? trs : identityTrs());
    const type = limb ? 'LimbNode' : 'Null';
    const id = this.#writeModel(name, type, trs);
    const flags = limb ? 'Skeleton' : 'Null';
    const attribute = this.#document.add('NodeAttribute', name, 'NodeAttribute', type, [node('TypeFlags', [flags])]);
    this.#document.connect(attribute, id);
    return id;
  }

  #isParent(k: number): boolean {
    return this.#scene.nodes.some(({ parent }) => parent === k);
  }

  #writeModel(name: string, type: string, { translation, rotation, scale }: Trs): number {
    const vector = (label: string, values: ArrayLike<number>) =>
      [label, label, '', 'A', double(values[0]), double(values[1]), double(values[2])] as const;
    return this.#document.add('Model', name, 'Model', type, [
      node('Version', [int(232)]),
      properties([
        ['RotationActive', 'bool', '', '', int(1)],
        ['InheritType', 'enum', '', '', int(INHERIT_ALL)],
        ['ScalingMax', 'Vector3D', 'Vector', '', double(0), double(0), double(0)],
        ['DefaultAttributeIndex', 'int', 'Integer', '', int(0)],
        vector(
          'Lcl Translation',
          translation.map((value) => value * CENTIMETRES),
        ),
        vector('Lcl Rotation', eulerOf(rotation)),
        vector('Lcl Scaling', scale),
      ]),
      node('Shading', [flag(true)]),
      node('Culling', ['CullingOff']),
    ]);
  }

  #mesh({ mesh, skin, weights }: SceneNode, k: number): void {
    const { meshes, skins } = this.#scene;
    const place = this.#places.get(k);
    const key = [mesh, skin, ...weights].join();
    let written = this.#geometries.get(key);
    if (!written) {
      const geometry = writeGeometry(this.#document, meshes[mesh], place?.vertices);
      const channels = writeShapes(this.#document, geometry, meshes[mesh], weights, place?.vertices);
      const skinned = place && { scene: this.#scene, skin: skins[skin], mesh: meshes[mesh], place };
      if (skinned) writeSkin(this.#document, geometry, skinned, this.#models);
      written = { mesh: geometry, channels };
      this.#geometries.set(key, written);
    }
    const model = this.#meshModel(k, place);
    this.#document.connect(written.mesh.id, model);
    for (const material of written.mesh.materials) this.#document.connect(this.#materials.material(material), model);
    this.#channels.set(k, written.channels);
    if (!place) return;
    this.#bound.set(model, place.world);
    // With all that is above the joints: a reader whose skeletons are objects wants to know where those were.
    for (const joint of skins[skin].joints) {
      for (let above = joint; above >= 0; above = this.#scene.nodes[above].parent) {
        this.#bound.set(this.#models[above], this.#worlds[above]);
      }
    }
  }

  /** Joints, and nodes of skinned meshes with children, show their mesh through a model of its own. */
  #meshModel(k: number, place: SkinPlace | undefined): number {
    const own = this.#models[k];
    if (!this.#limbs.has(k) && !(place && this.#isParent(k))) return own;
    const model = this.#writeModel(`${this.#names[k]} mesh`, 'Mesh', identityTrs());
    this.#document.connect(model, place ? this.#modelOf(place.home) : own);
    return model;
  }

  #modelOf(k: number): number {
    return k < 0 ? 0 : this.#models[k];
  }

  #bindPose(): void {
    if (this.#bound.size === 0) return;
    const poses = [...this.#bound].map(([model, world]) =>
      node('PoseNode', [], [node('Node', [long(model)]), node('Matrix', [columnsOf(world)])]),
    );
    this.#document.add('Pose', this.#scene.name, 'Pose', 'BindPose', [
      node('Type', ['BindPose']),
      node('Version', [int(100)]),
      node('NbPoseNodes', [int(poses.length)]),
      ...poses,
    ]);
  }
}

function worldsOf({ nodes, order }: FileScene): Transform[] {
  const worlds = nodes.map(() => new Float64Array(12));
  for (let k = 0; k < order.length; k++) {
    const { parent, trs } = nodes[order[k]];
    const local = composeTrs(trs, new Float64Array(12));
    if (parent < 0) worlds[order[k]].set(local);
    else multiply(worlds[parent], local, worlds[order[k]]);
  }
  return worlds;
}

/** Joints, and what lies between them: readers make one skeleton of limbs that follow each other. */
function limbsOf({ nodes, skins }: FileScene): Set<number> {
  const joints = new Set(skins.flatMap((skin) => skin.joints));
  const limbs = new Set(joints);
  for (const joint of joints) {
    const between: number[] = [];
    for (let k = nodes[joint].parent; k >= 0; k = nodes[k].parent) {
      if (joints.has(k)) {
        for (const node of between) limbs.add(node);
        break;
      }
      between.push(k);
    }
  }
  return limbs;
}

/** Readers find what an animation moves by its name: joints keep theirs, of others that repeat one some get a number. */
function uniqueNames(nodes: readonly SceneNode[], limbs: ReadonlySet<number>, warnings: WarningTally): string[] {
  const names: string[] = [];
  const taken = new Set<string>();
  const order = [...nodes.keys()].sort((a, b) => Number(limbs.has(b)) - Number(limbs.has(a)) || a - b);
  for (const k of order) {
    const wanted = nodes[k].name || `node ${k}`;
    let name = wanted;
    for (let copy = 2; taken.has(name); copy++) name = `${wanted} ${copy}`;
    if (name !== wanted) warnings.add('nodes that repeat a name are numbered');
    taken.add(name);
    names[k] = name;
  }
  return names;
}
