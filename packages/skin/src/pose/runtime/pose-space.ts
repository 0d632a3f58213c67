/**
 * The poses of a character without a skeleton as numbers that can be blended: the unknowns x of posing by regions (see
 * BodyBlend) and the translation s that gradients leave open,
 *
 *   pose(x, s) = argmin over t of ½‖G t − m(x)‖²_W, moved by s.
 *
 * An example is a unit vector with the translation that it was given in; a blend of such vectors is the published blend of
 * deformation gradients, in which limbs swing and do not shrink. Whoever blends, such as a performer through pairs, needs
 * nothing else. Handles depart from the blend as little as they can: it is the pose that the search stays near, and points
 * far from them are held where the blend alone has them.
 *
 * Reference: Der, Sumner, Popović. Inverse kinematics for reduced deformable models. 2006 (equations 5 to 10).
 */
import { LinearBlend } from '@pelt/kernels';
import { DISPOSE, type Scope } from '@pelt/math';
import {
  exampleCount,
  InputError,
  interruptible,
  type Poser,
  type Run,
  TRANSFORM_SIZE,
  UsageError,
  validatePoser,
  vertexCount,
} from '@pelt/model';
import { vertexAreas } from '../../shared/mesh/vertex-areas.ts';
import { POSE_DEFAULTS } from '../options.ts';
import { farthestVertices } from './farthest-vertices.ts';
import type { Handle } from './handle-set.ts';
import { PoseCost } from './pose-cost.ts';
import { createPoseSession, type PoseSession } from './pose-session.ts';
import { RegionAnchors, vertexPosition } from './region-anchors.ts';
import { relativePositions, transformsOf } from './relative-frame.ts';
import { type SkinFoot, skinFeet } from './skin-feet.ts';

/** Points by which the speed of the surface is judged: its extremities first. */
const PROBES = 32;

/**
 * Opens the pose space of a character: its examples as vectors that can be blended. Dispose of it to free its memory.
 *
 * @example
 * {@includeCode ../../../examples/create-pose-space.ts}
 */
export function createPoseSpace(poser: Poser, run: Run): PoseSpace {
  validatePoser(poser);
  if (exampleCount(poser) === 0) throw new InputError(`createPoseSpace: '${poser.name}' has no examples to blend`);
  return interruptible(run, () => new PoseSpace(poser, run));
}

/** Poses of a character that can be blended; without handles a pose allocates nothing. */
export class PoseSpace implements Disposable {
  /** Numbers of a pose. */
  readonly size: number;
  /** E: shares of the examples' details in the last pose */
  readonly blend: Float64Array;
  /** Diagonal of the box at rest. */
  readonly extent: number;
  /** Points all over the surface, by their vertices. */
  readonly #probes: readonly number[];
  readonly #poser: Poser;
  readonly #run: Run;
  readonly #scope: Scope;
  readonly #cost: PoseCost;
  /** m × 4: Σᵢ aᵢ wᵢⱼ [pᵢ, 1], of which transforms make the mean position of the surface */
  readonly #moments: Float64Array;
  /** E × 3: translations of the examples */
  readonly #shifts: Float64Array;
  readonly #x: Float64Array;
  readonly #point = new Float64Array(3);
  /** Created when positions are asked for: an engine has its own skin. */
  #skin: LinearBlend | undefined;
  #feet: readonly SkinFoot[] | undefined;
  /** While there are handles: what meets them, what holds the rest, and the list of both. */
  #session: PoseSession | undefined;
  #anchors: RegionAnchors | undefined;
  #handles: readonly Handle[] = [];

  constructor(poser: Poser, run: Run) {
    this.#poser = poser;
    this.#run = run;
    this.#scope = run.numerics.scope();
    try {
      this.#cost = new PoseCost(poser, POSE_DEFAULTS, run, this.#scope);
    } catch (error) {
      this.#scope.dispose();
      throw error;
    }
    const E = exampleCount(poser);
    const { count } = this.#cost.body;
    this.extent = poser.size;
    this.#probes = farthestVertices(poser.rig.mesh.positions, PROBES);
    this.size = count + 3;
    this.blend = new Float64Array(E);
    this.#x = new Float64Array(count);
    this.#moments = surfaceMoments(poser);
    this.#shifts = new Float64Array(3 * E);
    const length = TRANSFORM_SIZE * poser.rig.bones.length;
    const [own, found] = [new Float64Array(3), new Float64Array(3)];
    const transforms = new Float64Array(length);
    for (let e = 0; e < E; e++) {
      this.middle(poser.exampleTransforms.subarray(e * length, (e + 1) * length), own);
      this.pose(this.ofBlend(new Float64Array(E).fill(1, e, e + 1)), transforms);
      this.middle(transforms, found);
      for (let r = 0; r < 3; r++) this.#shifts[3 * e + r] = own[r] - found[r];
    }
  }

  /** The lowest points of what stands on the ground at rest, y up. */
  get feet(): readonly SkinFoot[] {
    this.#feet ??= interruptible(this.#run, () => skinFeet(this.#poser, this.blend, this.#run.numerics));
    return this.#feet;
  }

  /**
   * A blend of the examples as numbers of a pose; zeros are the rest pose.
   *
   * @param blend  E weights
   */
  ofBlend(blend: ArrayLike<number>): Float64Array {
    const E = exampleCount(this.#poser);
    if (blend.length !== E) throw new UsageError(`ofBlend: ${blend.length} weights for ${E} examples; give one each`);
    const out = new Float64Array(this.size);
    for (let e = 0; e < E; e++) {
      out[e] = blend[e];
      for (let r = 0; r < 3; r++) out[this.size - 3 + r] += blend[e] * this.#shifts[3 * e + r];
    }
    return out;
  }

  /** The example of a name; `rest` is the rest pose unless an example has that name. */
  ofExample(name: string): Float64Array {
    const { exampleNames } = this.#poser;
    const at = exampleNames.indexOf(name);
    if (at < 0 && name !== 'rest') {
      const known = exampleNames.slice(0, 40).join(', ');
      throw new InputError(
        `there is no example '${name}'; there are rest, ${known}${exampleNames.length > 40 ? ' …' : ''}`,
      );
    }
    return this.ofBlend(exampleNames.map((_, e) => Number(e === at)));
  }

  /**
   * The pose that meets handles, as near to the examples as it can be, as `createPoseSession` finds it, upright.
   *
   * @returns its numbers, and how far each handle is from its target
   */
  ofHandles(handles: readonly Handle[]): { readonly pose: Float64Array; readonly errors: number[] } {
    const session = createPoseSession(this.#poser, { turns: false, stays: false }, this.#run);
    try {
      session.setHandles(handles);
      session.step();
      const pose = new Float64Array(this.size);
      pose.set(session.parameters);
      const transforms = session.pose().transforms.slice();
      const [own, found] = [new Float64Array(3), new Float64Array(3)];
      this.middle(transforms, own);
      this.#solve(pose, transforms);
      this.middle(transforms, found);
      for (let r = 0; r < 3; r++) pose[this.size - 3 + r] = own[r] - found[r];
      return { pose, errors: handles.map((_, c) => session.handleError(c)) };
    } finally {
      session.dispose();
    }
  }

  /** Holds vertices at places while poses are blended; in model space, before anyone moves the whole. */
  setHandles(handles: readonly Handle[]): void {
    this.#handles = handles;
    if (handles.length === 0) return;
    this.#anchors ??= new RegionAnchors(this.#poser);
    this.#session ??= createPoseSession(this.#poser, { follows: true, stays: false, starts: 0 }, this.#run);
  }

  /**
   * The controls of a pose.
   *
   * @param pose  `size` numbers: a weighted sum of poses whose weights sum to 1
   * @param out   m × 12, rest → pose; overwritten
   */
  pose(pose: Float64Array, out: Float64Array): void {
    if (pose.length !== this.size)
      throw new UsageError(`pose: ${pose.length} numbers; give ${this.size}, of this pose space`);
    this.#solve(pose, out);
    if (this.#handles.length > 0) this.#hold(pose, out);
    const at = this.size - 3;
    for (let k = 3; k < out.length; k += TRANSFORM_SIZE) {
      for (let r = 0; r < 3; r++) out[k + 4 * r] += pose[at + r];
    }
  }

  /**
   * The surface in a pose of the controls, with the details of the last blend.
   *
   * @param transforms  m × 12, such as `pose` gives, moved by whoever
   * @param out         n × 3; overwritten
   */
  positions(transforms: Float64Array, out: Float32Array): Float32Array {
    const { rig, exampleDetails } = this.#poser;
    const { bones, weights } = rig.weights;
    this.#skin ??= new LinearBlend(
      this.#run.numerics,
      rig.mesh.positions,
      bones,
      weights,
      rig.bones.length,
      exampleDetails,
    );
    const details = exampleDetails.length > 0 ? this.blend.subarray(0, exampleDetails.length) : undefined;
    out.set(this.#skin.pose(transforms, details));
    return out;
  }

  /** Mean position of the surface, by its area. */
  middle(transforms: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0, j = 0; j < this.#moments.length; k += TRANSFORM_SIZE, j += 4) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 4; c++) out[r] += transforms[k + 4 * r + c] * this.#moments[j + c];
      }
    }
  }

  /** How many points `locate` gives. */
  get probes(): number {
    return this.#probes.length;
  }

  /**
   * Where a pose of the controls has points all over the surface.
   *
   * @param transforms  m × 12
   * @param out         `probes` × 3; overwritten
   */
  locate(transforms: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.#probes.length; k++) {
      vertexPosition(this.#poser, this.#probes[k], transforms, this.blend, this.#point);
      for (let r = 0; r < 3; r++) out[3 * k + r] = this.#point[r];
    }
  }

  /** Frees the kernels' memory; it must not be used afterwards. */
  dispose(): void {
    this.#session?.dispose();
    this.#skin?.dispose();
    this.#scope.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #solve(pose: Float64Array, out: Float64Array): void {
    const x = this.#x;
    for (let k = 0; k < x.length; k++) x[k] = pose[k];
    this.#cost.evaluate(x);
    this.blend.set(this.#cost.body.details);
    transformsOf(this.#poser, this.#cost.u, out);
  }

  /** @param out  m × 12: the pose without handles, replaced by that with them */
  #hold(pose: Float64Array, out: Float64Array): void {
    const session = this.#session as PoseSession;
    const at = this.size - 3;
    const all: Handle[] = this.#handles.map(({ vertex, target, softness }) => ({
      vertex,
      target: Float64Array.from({ length: 3 }, (_, r) => target[r] - pose[at + r]),
      ...(softness !== undefined && { softness }),
    }));
    this.#anchors?.hold(this.#handles, out, this.blend, all);
    session.setBlend(this.#x);
    session.setHandles(all);
    session.step();
    out.set(session.pose().transforms);
    this.blend.set(session.blend);
  }
}

function surfaceMoments(poser: Poser): Float64Array {
  const { mesh, weights, bones } = poser.rig;
  const areas = vertexAreas(relativePositions(poser, mesh.positions), mesh.triangles);
  const moments = new Float64Array(4 * bones.length);
  for (let i = 0; i < vertexCount(mesh); i++) {
    for (let s = i * weights.slots; s < (i + 1) * weights.slots; s++) {
      const share = areas[i] * weights.weights[s];
      const at = 4 * weights.bones[s];
      for (let c = 0; c < 3; c++) moments[at + c] += share * mesh.positions[3 * i + c];
      moments[at + 3] += share;
    }
  }
  return moments;
}
