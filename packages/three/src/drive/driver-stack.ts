/**
 * Several drivers on one mesh at once, in an order and each for joints of its own: a clip on the legs, a dragged hand on
 * top, a performer on the trunk, springs last. Below all of them is what the joints' own matrices say, such as a clip of
 * an AnimationMixer. With any skin: drivers move joints, and the skin follows.
 */
import { UsageError } from '@pelt/model';
import { combinePoses, jointMask, type PoseLayer } from '@pelt/skin/play/runtime';
import { type PeltMesh, requirePaletteSkeleton } from '../mesh/pelt-mesh.ts';
import { bonesOf } from '../model/geometry-rig.ts';

export interface DriverLayerOptions {
  /** Names of the joints that it drives, with all below them; absent: all. */
  readonly joints?: readonly string[];
  /** `local`: joints turn against their parents as the driver says; `model`: they are where it says. */
  readonly space?: PoseLayer['space'];
  /**
   * Changes the pose of the layers below in place of a pose that is set: springs, limits, a procedure.
   *
   * @param pose  m × 12, rest → pose in the mesh's space; to be changed
   */
  readonly modify?: (pose: Float64Array) => void;
}

/**
 * A place in the stack, which a driver sets poses to: the option `layer` of `PuppetDriver` and `PoseSolver`.
 * @example
 * {@includeCode ../../examples/driver-stack.ts}
 */
export class DriverLayer {
  readonly name: string;
  readonly options: DriverLayerOptions;
  /** Without it the stack is as if the layer were not there. */
  enabled = true;
  /** m × 12 of the driver's last pose; undefined before there is one. */
  transforms: Float64Array | undefined;

  constructor(name: string, options: DriverLayerOptions) {
    this.name = name;
    this.options = options;
  }

  /** @param transforms  m × 12, rest → pose in the mesh's space; kept, not copied */
  setTransforms(transforms: Float64Array | undefined): void {
    this.transforms = transforms;
  }
}

/**
 * Combines drivers of a mesh.
 * @example
 * {@includeCode ../../examples/driver-stack.ts}
 */
export class DriverStack {
  readonly #mesh: PeltMesh;
  readonly #layers: DriverLayer[] = [];
  readonly #masks = new Map<DriverLayer, Uint8Array>();
  readonly #own: Float64Array;
  readonly #pose: Float64Array;

  constructor(mesh: PeltMesh) {
    const { transforms } = requirePaletteSkeleton(mesh);
    this.#mesh = mesh;
    this.#own = new Float64Array(transforms.length);
    this.#pose = new Float64Array(transforms.length);
  }

  /** From the lowest to the topmost. */
  get layers(): readonly DriverLayer[] {
    return this.#layers;
  }

  /** A new layer on top of the others. */
  add(name: string, options: DriverLayerOptions = {}): DriverLayer {
    if (this.#layers.some((layer) => layer.name === name))
      throw new UsageError(`DriverStack: there is a '${name}' already`);
    const layer = new DriverLayer(name, options);
    if (options.joints) this.#masks.set(layer, jointMask(this.#bones(), options.joints));
    this.#layers.push(layer);
    return layer;
  }

  remove(layer: DriverLayer): void {
    const at = this.#layers.indexOf(layer);
    if (at >= 0) this.#layers.splice(at, 1);
    this.#masks.delete(layer);
  }

  /** Puts a layer at another place in the order, 0 for the lowest. */
  move(layer: DriverLayer, place: number): void {
    const at = this.#layers.indexOf(layer);
    if (at < 0) throw new UsageError(`DriverStack: there is no layer '${layer.name}'`);
    this.#layers.splice(at, 1);
    this.#layers.splice(place, 0, layer);
  }

  /** Poses the mesh: call it once per frame, after mixers and drivers were updated. */
  update(): void {
    const { skeleton } = this.#mesh;
    for (const joint of skeleton.joints) joint.updateWorldMatrix(true, false);
    this.#mesh.updateWorldMatrix(true, false);
    const bones = this.#bones();
    let pose = skeleton.readPose(this.#own);
    for (const layer of this.#layers) {
      const { modify, space } = layer.options;
      const changed = modify ? pose.slice() : layer.transforms;
      if (!layer.enabled || !changed) continue;
      modify?.(changed);
      const top = { transforms: changed, mask: this.#masks.get(layer), space };
      pose = combinePoses(bones, [{ transforms: pose }, top], new Float64Array(pose.length));
    }
    this.#pose.set(pose);
    this.#mesh.setTransforms(this.#pose);
  }

  /** The mesh goes back to its joints' own matrices. */
  dispose(): void {
    this.#mesh.setTransforms(undefined);
  }

  #bones() {
    const { joints, inverses } = this.#mesh.skeleton;
    return bonesOf(joints, inverses);
  }
}
