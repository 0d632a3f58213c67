/**
 * Morph targets that follow the pose of the joints: EigenSkin (`pelt fit --eigenskin`) in poses that its clips do not have,
 * as when a procedure, physics or a blend of clips moves the joints. The weights in the clips' own poses are those of the
 * clips; between and beyond they are interpolated over the pose.
 */
import { type EigenSkinExamples, TRANSFORM_SIZE } from '@pelt/model';
import { EigenSkinPoses } from '@pelt/skin/decompose/runtime';
import { type AnimationClip, AnimationMixer, LoopOnce, type Object3D } from 'three';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { bonesOf } from '../model/geometry-rig.ts';
import { topOf } from './rest-space.ts';

const INFLUENCES = '.morphTargetInfluences';

/**
 * Drives the morph targets of a mesh by the pose of its joints.
 * @example
 * {@includeCode ../../examples/pose-morphs.ts}
 */
export class PoseMorphs {
  readonly #mesh: PeltMesh;
  readonly #poses: EigenSkinPoses;
  readonly #pose: Float64Array;
  readonly #amounts: Float32Array;

  /**
   * @param mesh   with joints and morph targets
   * @param clips  that animate both; others are left out. Or what a file says by itself: `gltf.userData.pelt.eigenskin`
   * @param root   of the clips' names; absent: the topmost object above the mesh that is no scene
   */
  constructor(mesh: PeltMesh, clips: readonly AnimationClip[] | EigenSkinExamples, root: Object3D = topOf(mesh)) {
    const { joints, inverses } = requirePaletteSkeleton(mesh);
    const count = mesh.morphTargetInfluences?.length ?? 0;
    this.#mesh = mesh;
    this.#pose = new Float64Array(TRANSFORM_SIZE * joints.length);
    if ('poses' in clips) {
      const { poses: transforms, amounts } = clips;
      const times = new Float64Array(transforms.length / this.#pose.length);
      this.#poses = new EigenSkinPoses(bonesOf(joints, inverses), { times, transforms }, amounts);
      this.#amounts = new Float32Array(this.#poses.rank);
      return;
    }
    const times = clips.map((clip) => clip.tracks.find(({ name }) => name.endsWith(INFLUENCES))?.times ?? []);
    const S = times.reduce((sum, { length }) => sum + length, 0);
    if (count === 0 || S === 0) {
      throw new Error(
        `PoseMorphs: no clip animates morph targets of '${mesh.name}'; give clips of pelt fit --eigenskin`,
      );
    }
    this.#amounts = new Float32Array(count);
    const transforms = new Float64Array(S * this.#pose.length);
    const amounts = new Float32Array(S * count);
    let frame = 0;
    clips.forEach((clip, k) => {
      const mixer = new AnimationMixer(root);
      const action = mixer.clipAction(clip).setLoop(LoopOnce, 1).play();
      action.clampWhenFinished = true;
      for (const time of times[k]) {
        action.time = time;
        mixer.update(0);
        transforms.set(this.#read(), frame * this.#pose.length);
        amounts.set(mesh.morphTargetInfluences ?? [], frame * count);
        frame++;
      }
      // Joints and weights are then as they were before.
      mixer.stopAllAction();
      mixer.uncacheRoot(root);
    });
    const all = { times: Float64Array.from({ length: S }, (_, t) => t), transforms };
    this.#poses = new EigenSkinPoses(bonesOf(joints, inverses), all, amounts);
  }

  /** Sets the weights of the morph targets for the pose that the joints are in; call it after they were moved. */
  update(): void {
    this.#poses.amountsAt(this.#read(), this.#amounts);
    const influences = this.#mesh.morphTargetInfluences ?? [];
    for (let k = 0; k < this.#amounts.length; k++) influences[k] = this.#amounts[k];
  }

  #read(): Float64Array {
    const skeleton = requirePaletteSkeleton(this.#mesh);
    for (const joint of skeleton.joints) joint.updateWorldMatrix(true, false);
    this.#mesh.updateWorldMatrix(true, false);
    return skeleton.readPose(this.#pose);
  }
}
