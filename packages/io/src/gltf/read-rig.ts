import { type Clip, InputError, type Rig, resolveOptions, vertexCount } from '@pelt/model';
import { sampleTimes } from './sample-times.ts';
import type { GltfAsset, GltfScene } from './scene.ts';
import { ScenePose } from './scene-pose.ts';

/** Displacements beside a skin: v = Σ w M (p + Σ a δ). */
export interface RigMorphs {
  /** R of them, n × 3 each, in rest space */
  readonly deltas: readonly Float32Array[];
  /** R */
  readonly names?: readonly string[];
  /** For each clip S × R, row-major: how far each is on, beyond what the rest pose has of it */
  readonly weights: readonly Float32Array[];
}

/** A glTF as a rig: its mesh, its bones, and every animation as transforms from rest to pose. */
export interface GltfRig {
  readonly rig: Rig;
  readonly clips: readonly Clip[];
  /** For each clip the second of its animation at which it begins. */
  readonly starts: readonly number[];
  /** Present where the file has morph targets. */
  readonly morphs?: RigMorphs;
  /** `extras` of each bone's node */
  readonly boneExtras: readonly unknown[];
  /** `extras` of the node that carries the skinned mesh; absent where there are several such nodes, or none */
  readonly extras?: unknown;
}

export interface ReadRigOptions {
  /** Frames a second; absent: each animation's own keys. */
  readonly fps: number | undefined;
  /** Seconds after the first key at which to sample every animation, rising; absent: by `fps`. */
  readonly times: ArrayLike<number> | undefined;
}

export const READ_RIG_DEFAULTS: ReadRigOptions = { fps: undefined, times: undefined };

/** Displacements are kept for every vertex; more of them than this do not fit memory. */
const MAX_NUMBERS = 2 ** 31;

/**
 * The rig and the clips of a glTF file. A file without skins gives a rig as well: each node with a mesh is then a bone.
 * @example
 * {@includeCode ../../examples/skinned.ts}
 */
export function readRig(asset: GltfAsset, options?: Partial<ReadRigOptions>): GltfRig {
  const { fps, times: given } = resolveOptions('readRig', READ_RIG_DEFAULTS, options);
  const { scene } = asset;
  const drivers = morphDrivers(scene);
  if (drivers.length * asset.mesh.positions.length > MAX_NUMBERS) {
    throw new InputError(
      `${drivers.length} morph targets of ${vertexCount(asset.mesh)} vertices do not fit into memory`,
    );
  }
  const sampled = asset.animations.map((animation, a) => {
    const own = sampleTimes(scene, animation, fps);
    const times = given ? Float64Array.from(given, (time) => time + own[0]) : own;
    const pose = new ScenePose(scene);
    const size = 12 * scene.bones.length;
    const transforms = new Float64Array(times.length * size);
    const weights = new Float32Array(times.length * drivers.length);
    times.forEach((time, t) => {
      pose.setTime(animation, time);
      pose.boneTransforms(transforms, t * size);
      drivers.forEach(({ node, target, restWeight }, r) => {
        const driven = pose.morphWeights(node)?.[target] ?? restWeight;
        weights[t * drivers.length + r] = driven - restWeight;
      });
    });
    const name = animation.name || `clip-${a}`;
    return { clip: { name, times: times.map((time) => time - times[0]), transforms }, weights, start: times[0] };
  });
  const [carrier, ...others] = scene.skinnedNodes;
  const extras = others.length === 0 ? scene.nodes[carrier]?.extras : undefined;
  return {
    rig: {
      name: asset.name,
      mesh: asset.mesh,
      bones: scene.bones.map(({ name, parent, rest, place }) => ({ name, parent, rest, ...(place && { place }) })),
      weights: scene.weights,
    },
    clips: sampled.map(({ clip }) => clip),
    starts: sampled.map(({ start }) => start),
    ...(drivers.length > 0 && {
      morphs: {
        deltas: drivers.map((driver) => deltaOf(scene, driver, vertexCount(asset.mesh))),
        names: drivers.map(({ name }) => name),
        weights: sampled.map(({ weights }) => weights),
      },
    }),
    boneExtras: scene.bones.map(({ node }) => scene.nodes[node].extras),
    ...(extras !== undefined && { extras }),
  };
}

/** A morph target that has a weight of its own: nodes do not share weights, primitives of one node do. */
export interface MorphDriver {
  readonly node: number;
  readonly target: number;
  /** As the file calls it, else by its number. */
  readonly name: string;
  readonly restWeight: number;
}

export function morphDrivers(scene: GltfScene): MorphDriver[] {
  const drivers = new Map<string, MorphDriver>();
  for (const { node, targets, restWeights, names = [] } of scene.morphs) {
    targets.forEach((_, target) => {
      const key = `${node} ${target}`;
      if (!drivers.has(key)) {
        const name = names[target] || `shape ${target}`;
        drivers.set(key, { node, target, name, restWeight: restWeights[target] });
      }
    });
  }
  return [...drivers.values()];
}

function deltaOf(scene: GltfScene, { node, target }: MorphDriver, vertices: number): Float32Array {
  const delta = new Float32Array(3 * vertices);
  for (const morph of scene.morphs) {
    const own = morph.node === node ? morph.targets[target] : undefined;
    if (own) delta.set(own, 3 * morph.firstVertex);
  }
  return delta;
}
