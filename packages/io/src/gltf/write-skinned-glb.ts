import type { Accessor, Animation, GLTF, Node } from '@gltf-transform/core';
import {
  boundsOf,
  type Clip,
  centerOf,
  diagonalOf,
  gatherVertices,
  InputError,
  type Rig,
  resolveOptions,
  validateClip,
  validateRig,
} from '@pelt/model';
import { type BoneTrack, type Extent, type TrackOptions, trackBones } from './bone-tracks.ts';
import { deltaAccessor } from './delta-accessor.ts';
import type { GlbDocument } from './glb-document.ts';
import { GLB_DEFAULTS, type GlbExtensions, type GlbFile, type GlbOptions } from './glb-options.ts';
import { finishVertices } from './own-vertices.ts';
import { packWeights, type WeightFormat } from './pack-weights.ts';
import type { RigMorphs } from './read-rig.ts';
import type { WrittenMesh } from './write-mesh.ts';
import { elementsOf, floatTimes, KeyTimes, requireKeys } from './write-times.ts';

/**
 * A rig with its clips as a skinned glTF that any engine can play: joints, weights, one animation for each clip, baked
 * at its frames. The rules that are kept are those of the glTF 2.0 specification, 3.7.3 and 3.11: the mesh's node at the
 * scene's root without a transform, joints under one root, curves of a clip over one list of times.
 */
export interface SkinnedModel {
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  /** Displacements beside the skin, for each clip driven by curves of their own. */
  readonly morphs?: RigMorphs;
  readonly extensions?: GlbExtensions;
  /** For each clip and bone the frames that become keys, rising; absent: all of them. */
  readonly keys?: readonly (readonly Int32Array[])[];
  /** `extras` of each bone's node */
  readonly boneExtras?: readonly unknown[];
  /** `extras` of the mesh's node */
  readonly extras?: Readonly<Record<string, unknown>>;
}

export interface SkinnedGlbOptions extends GlbOptions, TrackOptions {
  /**
   * Bones that stretch or shear: `trs` takes the nearest translation, rotation and scale and says what was lost; `pair`
   * keeps them exactly, by two nodes for each such bone.
   */
  readonly affine: 'pair' | 'trs';
  /** Leave out a bone's translation where its offset from its parent stays as at rest, to rounding. */
  readonly fixedOffsets: boolean;
  /** How weights are stored: 16, 8 or 4 bytes for four of them. */
  readonly weightFormat: WeightFormat;
}

export const SKINNED_GLB_DEFAULTS: SkinnedGlbOptions = {
  ...GLB_DEFAULTS,
  affine: 'trs',
  fixedOffsets: true,
  weightFormat: 'float',
};

export interface SkinnedGlbFile extends GlbFile {
  /** Largest difference between the file's bone transforms and the clips', in elements of the linear part. */
  readonly lost: number;
  /** The most weight that any vertex lost by having more than sixteen bones. */
  readonly dropped: number;
}

/**
 * Writes a rig with its clips as a skinned, animated GLB.
 * @example
 * {@includeCode ../../examples/skinned.ts}
 */
export async function writeSkinnedGlb(
  model: SkinnedModel,
  options?: Partial<SkinnedGlbOptions>,
): Promise<SkinnedGlbFile> {
  const resolved = resolveOptions('writeSkinnedGlb', SKINNED_GLB_DEFAULTS, options);
  const { rig, clips, boneExtras } = model;
  validateRig(rig);
  for (const clip of clips) validateClip(clip, rig.bones.length);
  model.keys?.forEach((keys, c) => {
    requireKeys(keys, rig.bones.length, clips[c]);
  });
  const morphs = model.morphs && model.morphs.deltas.length > 0 ? model.morphs : undefined;
  if (morphs) validateMorphs(morphs, rig, clips);

  const { writeMesh } = await import('./write-mesh.ts');
  const mesh = { ...rig.mesh, name: rig.mesh.name || rig.name };
  const written = writeMesh(mesh, resolved, model.extras);
  const { glb } = written;
  const { tracks, lost } = trackBones(rig, clips, extentOf(rig), resolved);
  const { joints, movers } = writeNodes(glb, rig, tracks, boneExtras);
  const packed = packWeights(rig.weights, joints.length, written.vertices.vertexMap, resolved.weightFormat);
  packed.sets.forEach(({ joints: indices, weights }, set) => {
    const normalized = resolved.weightFormat !== 'float';
    const accessors = [glb.accessor('VEC4', indices), glb.accessor('VEC4', weights, { normalized })];
    for (const primitive of written.primitives) {
      primitive.setAttribute(`JOINTS_${set}`, accessors[0]).setAttribute(`WEIGHTS_${set}`, accessors[1]);
    }
  });
  const skin = writeSkin(glb, rig, joints, movers, tracks);
  for (const node of written.nodes) node.setSkin(skin);
  if (morphs) writeMorphs(written, morphs);
  const vertexMap = finishVertices(written, model.extensions);
  clips.forEach((clip, c) => {
    const animation = glb.document.createAnimation(clip.name);
    const keyTimes = new KeyTimes(glb, floatTimes(clip.times, clip.name));
    const add = (node: Node, path: GLTF.AnimationChannelTargetPath, values: Accessor, frames?: Int32Array) =>
      addChannel(glb, animation, node, path, keyTimes.of(frames), values);
    tracks.forEach(({ curves }, j) => {
      const { translation, rotation, scale, inner } = curves[c];
      const frames = model.keys?.[c][j];
      const curve = (type: 'VEC3' | 'VEC4', values: Float32Array<ArrayBuffer>) =>
        glb.accessor(type, frames ? elementsOf(values, type === 'VEC3' ? 3 : 4, frames) : values);
      if (translation) add(movers[j], 'translation', curve('VEC3', translation), frames);
      if (rotation) add(movers[j], 'rotation', curve('VEC4', rotation), frames);
      if (scale) add(movers[j], 'scale', curve('VEC3', scale), frames);
      if (inner) add(joints[j], 'rotation', curve('VEC4', inner), frames);
    });
    if (morphs) {
      const weights = glb.accessor('SCALAR', morphs.weights[c].slice());
      for (const node of written.nodes) add(node, 'weights', weights);
    }
    // An animation cannot be empty: a clip that never leaves the rest pose keeps its length by a curve that stands.
    if (animation.listChannels().length === 0) {
      const still = new Float32Array(3 * clip.times.length).map((_, k) => tracks[0].rest.translation[k % 3]);
      add(movers[0], 'translation', glb.accessor('VEC3', still));
    }
  });
  return { bytes: await glb.toBytes(), vertexMap, lost, dropped: packed.dropped };
}

/** The joints, and for each the node that its curves move: itself, or the outer one of an affine pair. */
function writeNodes(
  glb: GlbDocument,
  rig: Rig,
  tracks: readonly BoneTrack[],
  boneExtras: readonly unknown[] = [],
): { readonly joints: Node[]; readonly movers: Node[] } {
  const joints: Node[] = [];
  const movers: Node[] = [];
  const roots: Node[] = [];
  tracks.forEach(({ parent, rest, paired }, j) => {
    const { name } = rig.bones[j];
    const mover = glb.node(paired ? `${name} stretch` : name, rest, paired ? undefined : boneExtras[j]);
    const joint = paired ? glb.node(name, undefined, boneExtras[j]) : mover;
    if (paired) mover.addChild(joint);
    if (parent < 0) roots.push(mover);
    else joints[parent].addChild(mover);
    movers.push(mover);
    joints.push(joint);
  });
  // Joints need a common root: loose bones get a plain node above them.
  const root = roots.length === 1 ? roots[0] : glb.node(`${rig.name || 'rig'} root`);
  if (roots.length > 1) for (const node of roots) root.addChild(node);
  glb.scene.addChild(root);
  return { joints, movers };
}

function writeSkin(
  glb: GlbDocument,
  rig: Rig,
  joints: readonly Node[],
  movers: readonly Node[],
  tracks: readonly BoneTrack[],
) {
  const inverseBinds = new Float32Array(16 * joints.length);
  tracks.forEach(({ inverseBind }, j) => {
    inverseBinds.set(inverseBind, 16 * j);
  });
  const skin = glb.document.createSkin(rig.name).setInverseBindMatrices(glb.accessor('MAT4', inverseBinds));
  for (const joint of joints) skin.addJoint(joint);
  const top = movers[0].getParentNode();
  return skin.setSkeleton(top ?? movers[0]);
}

function writeMorphs({ glb, nodes, primitives, vertices }: WrittenMesh, { deltas, names }: RigMorphs): void {
  deltas.forEach((delta, r) => {
    const target = glb.document.createPrimitiveTarget(names?.[r] ?? `shape ${r}`);
    target.setAttribute('POSITION', deltaAccessor(glb, gatherVertices(delta, 3, vertices.vertexMap)));
    for (const primitive of primitives) primitive.addTarget(target);
  });
  for (const node of nodes) node.getMesh()?.setWeights(new Array(deltas.length).fill(0));
}

function addChannel(
  glb: GlbDocument,
  animation: Animation,
  node: Node,
  path: GLTF.AnimationChannelTargetPath,
  times: Accessor,
  values: Accessor,
): void {
  const sampler = glb.document.createAnimationSampler().setInput(times).setOutput(values);
  const channel = glb.document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
  animation.addSampler(sampler).addChannel(channel);
}

function validateMorphs({ deltas, weights }: RigMorphs, { mesh }: Rig, clips: readonly Clip[]): void {
  deltas.forEach((delta, r) => {
    requireNumbers(`morphs: displacement ${r}`, delta, mesh.positions.length);
  });
  if (weights.length !== clips.length) {
    throw new InputError(`morphs: weights for ${weights.length} clips, but there are ${clips.length}`);
  }
  clips.forEach(({ name, times }, c) => {
    requireNumbers(`morphs: weights of clip '${name}'`, weights[c], times.length * deltas.length);
  });
}

function requireNumbers(what: string, values: Float32Array, length: number): void {
  if (values.length !== length) throw new InputError(`${what}: ${values.length} numbers, expected ${length}`);
  if (!values.every(Number.isFinite)) throw new InputError(`${what}: holds a number that is not finite`);
}

/** The box around the mesh at rest; where that is a point, around mesh and bones. */
function extentOf({ mesh, bones }: Rig): Extent {
  const box = boundsOf(mesh.positions);
  const origins = bones.flatMap(({ rest }) => [rest[3], rest[7], rest[11]]);
  return { size: diagonalOf(box) || diagonalOf(boundsOf([...box.min, ...origins])) || 1, center: centerOf(box) };
}
