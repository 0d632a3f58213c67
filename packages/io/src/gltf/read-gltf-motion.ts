/** The joints of a glTF over time, whatever hangs on them: a character's clip, or a motion without a mesh (VRMA). */
import { adjugate3 } from '@pelt/math';
import { InputError, type Motion, nameBodyJoints, resolveOptions, UsageError } from '@pelt/model';
import { FINGER_NAME } from '../motion/finger-name.ts';
import { fileLabel, stemOf } from '../read-options.ts';
import { WarningTally } from '../warning-tally.ts';
import { isObject, type JsonObject, objectsOf } from './json-shape.ts';
import { restWorlds } from './node-poses.ts';
import { labelled, openDocument } from './open-document.ts';
import { readAnimations } from './read-animations.ts';
import { targetCountsOf } from './read-blocks.ts';
import { READ_GLTF_DEFAULTS, type ReadGltfOptions } from './read-gltf.ts';
import { type NodeTree, readNodes } from './read-nodes.ts';
import { sampleTimes } from './sample-times.ts';
import type { GltfScene } from './scene.ts';
import { ScenePose } from './scene-pose.ts';
import { identityTransform } from './transform.ts';

/** Extensions that say which nodes are human bones, each with its version of the format. */
const HUMANOIDS = ['VRMC_vrm_animation', 'VRMC_vrm', 'VRM'];

/**
 * Reads the first animation of a glTF or GLB as joint positions: those of its skins, of the human bones that a VRM or
 * VRMA names, or of all nodes where it has neither. The joints of a human body get the names of `BODY_JOINTS`.
 *
 * @param bytes  of the file; buffers beside it come through `options.resolve`
 * @example
 * {@includeCode ../../examples/gltf-motion.ts}
 */
export async function readGltfMotion(bytes: Uint8Array, options?: Partial<ReadGltfOptions>): Promise<Motion> {
  const { name, onWarning, resolve } = resolveOptions('readGltfMotion', READ_GLTF_DEFAULTS, options);
  const label = fileLabel('glTF', name);
  const warnings = new WarningTally(label, onWarning);
  try {
    const { json, accessors } = await openDocument(bytes, resolve, warnings);
    const tree = readNodes(json, warnings);
    const [animation, ...others] = readAnimations(json, accessors, tree.nodes, targetCountsOf(json, tree), warnings);
    if (!animation) throw new UsageError('it has no animation, so there is no motion in it');
    if (others.length > 0)
      warnings.add(`of its ${others.length + 1} animations the first, '${animation.name}', is taken`);
    const joints = jointsOf(json, tree);
    if (joints.size === 0) throw new InputError('it has no nodes, so there is no motion in it');
    const names = nameBodyJoints([...joints.values()]);
    const tips = fingertips(tree, [...joints.keys()], names);
    const J = joints.size + tips.length;
    const scene = sceneOf(tree, [...joints.keys()]);
    const moments = sampleTimes(scene, animation, undefined);
    const pose = new ScenePose(scene);
    const positions = new Float32Array(moments.length * J * 3);
    moments.forEach((time, t) => {
      pose.setTime(animation, time);
      [...joints.keys()].forEach((node, j) => {
        const world = pose.world(node);
        positions.set([world[3], world[7], world[11]], 3 * (t * J + j));
      });
      tips.forEach(({ node, inNode }, k) => {
        const world = pose.world(node);
        const at = [0, 4, 8].map((r) => inNode.reduce((sum, x, c) => sum + world[r + c] * x, world[r + 3]));
        positions.set(at, 3 * (t * J + joints.size + k));
      });
    });
    return {
      name: animation.name || stemOf(name),
      joints: [...names, ...tips.map(({ name }) => name)],
      positions,
      confidence: new Float32Array(moments.length * J).fill(1),
      times: moments.map((time) => time - moments[0]),
    };
  } catch (error) {
    throw labelled(label, error);
  } finally {
    warnings.flush();
  }
}

interface Fingertip {
  readonly name: string;
  readonly node: number;
  /** Position in the frame of the node. */
  readonly inNode: readonly number[];
}

/** Last bones of fingers go on as far as the bone before, straight on at rest: without their tips they would not bend. */
function fingertips({ nodes, order }: NodeTree, joints: readonly number[], names: readonly string[]): Fingertip[] {
  const worlds = restWorlds(nodes, order);
  return joints.flatMap((node, j) => {
    const { parent } = nodes[node];
    const isLast = !joints.some((other) => nodes[other].parent === node);
    if (parent < 0 || !isLast || !FINGER_NAME.test(names[j])) return [];
    const [own, before] = [worlds[node], worlds[parent]];
    const along = [3, 7, 11].map((k) => own[k] - before[k]);
    const inNode = solve3(own, along);
    return inNode ? [{ name: `${names[j]} tip`, node, inNode }] : [];
  });
}

/** The vector that the linear part of a transform takes to another; undefined where it is singular. */
function solve3(transform: Float64Array, [x, y, z]: readonly number[]): number[] | undefined {
  const inverse = new Float64Array(9);
  const determinant = adjugate3(transform, 0, inverse, 0, 4);
  if (determinant === 0) return undefined;
  return [0, 3, 6].map((r) => (inverse[r] * x + inverse[r + 1] * y + inverse[r + 2] * z) / determinant);
}

/** Names by node, parents before children. */
function jointsOf(json: JsonObject, { nodes, order }: NodeTree): Map<number, string> {
  const human = humanBonesOf(json);
  const skinned = new Set(objectsOf(json, 'skins').flatMap(({ joints }) => (Array.isArray(joints) ? joints : [])));
  const chosen = new Set<unknown>([...human.keys(), ...skinned]);
  const wanted = [...order].filter((node) => chosen.size === 0 || chosen.has(node));
  return new Map(wanted.map((node) => [node, human.get(node) ?? (nodes[node].name || `node ${node}`)]));
}

/** Human bones by node. */
function humanBonesOf(json: JsonObject): Map<unknown, string> {
  const found = new Map<unknown, string>();
  for (const name of HUMANOIDS) {
    const extension = isObject(json.extensions) ? json.extensions[name] : undefined;
    const humanoid = isObject(extension) ? extension.humanoid : undefined;
    const bones = isObject(humanoid) ? humanoid.humanBones : undefined;
    const entries = Array.isArray(bones)
      ? bones.filter(isObject).map((entry): [unknown, unknown] => [entry.bone, entry.node])
      : Object.entries(isObject(bones) ? bones : {}).map(([bone, entry]) => [
          bone,
          isObject(entry) ? entry.node : undefined,
        ]);
    for (const [bone, node] of entries) if (typeof bone === 'string' && !found.has(node)) found.set(node, bone);
  }
  return found;
}

/** A scene whose bones are the joints, so that its animations are sampled where these have keys. */
function sceneOf({ nodes, order }: NodeTree, joints: readonly number[]): GltfScene {
  const worlds = restWorlds(nodes, order);
  return {
    nodes,
    order,
    bones: joints.map((node) => ({
      name: nodes[node].name,
      node,
      parent: -1,
      inverseRest: identityTransform(),
      rest: worlds[node],
    })),
    weights: { slots: 1, bones: new Uint16Array(0), weights: new Float32Array(0) },
    morphs: [],
    skinnedNodes: [],
    ranges: [],
  };
}
