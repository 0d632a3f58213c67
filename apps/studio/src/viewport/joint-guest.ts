/**
 * A character whose joints are turned by hand and by keys, deformed in several ways at once: all of them follow the same
 * joints; one is shown, or all of them beside each other.
 */

import type { Mesh as ModelMesh } from '@pelt/model';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Vector3 } from 'three/webgpu';
import type { JointClip } from '../jobs/joint-clips.ts';
import { type EditedClip, type JointPose, type Reach, reachesAt } from '../store/clips.ts';
import { jointNames } from './character.ts';
import { posedPositions } from './enclosed-volume.ts';
import type { Ghost } from './ghosts.ts';
import { HandSteps } from './hand-steps.ts';
import { JointBalls } from './joint-balls.ts';
import { JointBody, type Manner, type ShapeFigures } from './joint-body.ts';
import type { JointGuestEvents } from './joint-guest-events.ts';
import { JointMotion } from './joint-motion.ts';
import { dragInPlane } from './plane-drag.ts';
import { pointerRay } from './pointer-ray.ts';
import { ReachHandles } from './reach-handles.ts';
import { SkinPull } from './skin-pull.ts';
import { Swinging } from './swinging.ts';
import type { Guest, Viewport } from './viewport.ts';

/** Of the rings about x, y and z, and of the one under the pointer: those of the figures. */
const RING_COLOURS = ['#b4553c', '#5f8a5a', '#4a6f9c', '#d9822b'] as const;

/** All joints, and where limbs are held. */
interface Posture {
  readonly joints: JointMotion['joints'];
  readonly reaches: ReadonlyMap<string, Reach>;
}

export class JointGuest implements Guest {
  readonly #viewport: Viewport;
  readonly #events: JointGuestEvents;
  readonly #bodies: JointBody[] = [];
  readonly #gizmo: TransformControls;
  #balls: JointBalls | undefined;
  /** Of skins that swing. */
  swinging: Swinging | undefined;
  readonly #steps = new HandSteps<Posture>();
  readonly #listeners = new AbortController();
  readonly #reaches = new Map<string, Reach>();
  #handles: ReachHandles | undefined;
  #motion: JointMotion | undefined;
  #clip: EditedClip | undefined;
  #frame = 0;
  /** Whether the hand has changed what the clip says here. */
  #byHand = false;
  #shown = 0;
  #beside = false;
  #changed = true;

  static async open(viewport: Viewport, manners: readonly Manner[], events: JointGuestEvents): Promise<JointGuest> {
    const guest = new JointGuest(viewport, events);
    try {
      for (const manner of manners) await guest.#load(manner);
    } catch (error) {
      guest.dispose();
      throw error;
    }
    guest.#start();
    return guest;
  }

  private constructor(viewport: Viewport, events: JointGuestEvents) {
    this.#viewport = viewport;
    this.#events = events;
    const { camera, renderer } = viewport.stage;
    this.#gizmo = new TransformControls(camera, renderer.domElement as HTMLCanvasElement);
    this.#gizmo.setMode('rotate');
    this.#gizmo.setSpace('local');
    this.#gizmo.setSize(0.6);
    this.#gizmo.setColors(...RING_COLOURS);
  }

  get plays(): boolean {
    return this.#clip !== undefined;
  }

  get joints(): readonly string[] {
    return jointNames(this.#bodies[0].character.mesh);
  }

  /** How the joints are turned from the motion below, for a key. */
  get pose(): JointPose | undefined {
    return this.#motion?.pose;
  }

  /** Where limbs are held. */
  get reaches(): ReadonlyMap<string, Reach> {
    return this.#reaches;
  }

  /** Twelve numbers, rest to pose in the file's scene, for each bone by its name in the file. */
  get transforms(): Record<string, number[]> {
    const pose = this.#readPose();
    return Object.fromEntries(this.joints.map((name, j) => [name, [...pose.subarray(12 * j, 12 * j + 12)]]));
  }

  /** The shape that is shown. */
  get shape(): ModelMesh {
    return this.#bodies[this.#shown].shape;
  }

  /** Figures of all manners, in their order. */
  get figures(): readonly (ShapeFigures & { readonly name: string })[] {
    return this.#bodies.map(({ name, figures }) => ({ name, ...figures }));
  }

  get views(): readonly string[] | undefined {
    return this.#beside ? this.#bodies.map(({ name }) => name) : undefined;
  }

  showView(view: number): void {
    this.#bodies.forEach(({ character }, k) => {
      character.root.visible = k === view;
    });
  }

  /** All manners beside each other, or the one that is shown alone. */
  set beside(on: boolean) {
    this.#beside = on && this.#bodies.length > 1;
    this.#gizmo.enabled = !this.#beside;
    this.#gizmo.getHelper().visible = !this.#beside;
    this.#changed = true;
  }

  show(name: string): void {
    this.#shown = Math.max(
      0,
      this.#bodies.findIndex((body) => body.name === name),
    );
    this.#turned();
  }

  /** What the timeline plays: the keys of a clip over a motion. What a hand has changed since the last key stays. */
  setClip(clip: EditedClip, below: JointClip | undefined): void {
    if (!this.#motion) return;
    this.#clip = clip;
    this.#motion.below = below;
    if (!this.#byHand) this.play(this.#frame);
  }

  play(frame: number): void {
    this.#frame = frame;
    if (!this.#clip || !this.#motion) return;
    this.#byHand = false;
    this.#motion.show(this.#clip, frame);
    this.#reaches.clear();
    for (const { joint, share, ...reach } of reachesAt(this.#clip, frame)) {
      if (share > 0) this.#reaches.set(joint, reach);
    }
    this.#turned();
  }

  /** What the hand has done is in a key now. */
  settle(): void {
    this.#byHand = false;
  }

  /** S × m × 12: all frames of the clip, rest to pose in the file's scene. */
  sample(): Float32Array {
    const { joints } = this;
    const size = 12 * joints.length;
    const frames = this.#clip?.frames ?? 0;
    const out = new Float32Array(frames * size);
    const [first] = this.#bodies;
    for (let t = 0; t < frames && this.#clip; t++) {
      this.#motion?.show(this.#clip, t);
      first.character.root.updateMatrixWorld(true);
      out.set(this.#readPose(), t * size);
    }
    this.play(this.#frame);
    return out;
  }

  /** The plain shape at a frame of the clip. */
  ghost(frame: number): Ghost | undefined {
    const body = this.#bodies.find(({ driver }) => !driver);
    if (!body || !this.#clip) return undefined;
    const before = this.#posture;
    this.#motion?.show(this.#clip, frame);
    if (body !== this.#bodies[0]) body.follow(this.#bodies[0]);
    body.character.root.updateMatrixWorld(true);
    const { mesh } = body.character;
    const positions = Float32Array.from(posedPositions(mesh));
    const at = new Vector3();
    for (let k = 0; k < positions.length; k += 3) {
      mesh.localToWorld(at.fromArray(positions, k)).toArray(positions, k);
    }
    this.#set(before);
    return { positions, triangles: body.triangles };
  }

  /** Whether there are bones above a joint that can turn for it. */
  canHold(joint: string): boolean {
    return this.#motion?.reachOf(joint, 2) !== undefined;
  }

  /** Holds the end of a limb where it is, or lets it go. */
  hold(joint: string, bones: number | undefined): void {
    this.#begin('Hold a limb');
    const reach = bones === undefined ? undefined : this.#motion?.reachOf(joint, bones);
    if (reach) this.#reaches.set(joint, reach);
    else this.#reaches.delete(joint);
    this.#turnedByHand();
  }

  update(): boolean {
    const swings = this.swinging?.advance() ?? false;
    if (!this.#changed && !swings) return false;
    this.#changed = false;
    const { scene } = this.#viewport.stage;
    this.showView(this.#shown);
    scene.updateMatrixWorld();
    this.#balls?.update();
    this.#handles?.show(this.#reaches);
    if (this.#beside) for (const { character } of this.#bodies) character.root.visible = true;
    this.#viewport.poseSkins();
    return true;
  }

  undo(): boolean {
    return this.#goTo(this.#steps.undo(this.#posture));
  }

  redo(): boolean {
    return this.#goTo(this.#steps.redo(this.#posture));
  }

  /** All joints as the motion below has them. */
  reset(): void {
    this.#begin('Reset the pose');
    this.#reaches.clear();
    if (this.#clip && this.#motion) {
      const empty = { ...this.#clip, tracks: { ...this.#clip.tracks, joints: [], targets: [] } };
      this.#motion.show(empty, this.#frame);
    } else for (const [j, bone] of this.#bodies[0].bones.entries()) bone.quaternion.copy(this.#bodies[0].rest[j]);
    this.#turnedByHand();
  }

  /** Chooses the joint that the rings turn. */
  choose(j: number): void {
    this.#gizmo.attach(this.#bodies[0].bones[j]);
    this.#balls?.choose(j);
    this.#changed = true;
    this.#events.onChoose(j);
  }

  /** Turns a joint about one of its own axes, in degrees from the rest pose. */
  turn(j: number, x: number, y: number, z: number): void {
    if (!this.#steps.isBegun) this.#begin('Turn a joint');
    this.#bodies[0].turn(j, x, y, z);
    this.#turnedByHand();
  }

  /** How a joint is turned from the rest pose, in degrees about its own axes. */
  turnOf(j: number): readonly [number, number, number] {
    return this.#bodies[0].turnOf(j);
  }

  dispose(): void {
    this.#listeners.abort();
    this.#gizmo.detach();
    this.#gizmo.getHelper().removeFromParent();
    this.#gizmo.dispose();
    this.#handles?.dispose();
    for (const body of this.#bodies) body.dispose();
    this.#balls?.dispose();
    this.#viewport.stage.controls.enabled = true;
    this.#viewport.dismiss(this);
  }

  async #load(manner: Manner): Promise<void> {
    const onChange = () => {
      this.#changed = true;
      this.#events.onTurn();
    };
    this.#bodies.push(
      await JointBody.open(this.#viewport.stage, manner, onChange, (error) => this.#events.onError(error)),
    );
  }

  #start(): void {
    const { stage } = this.#viewport;
    const [{ bones, character }] = this.#bodies;
    this.#motion = new JointMotion(character.root, bones, this.joints);
    this.#handles = new ReachHandles(stage, character.root, (joint, reach) => {
      if (!this.#steps.isBegun) this.#begin('Move a limb');
      this.#reaches.set(joint, reach);
      this.#turnedByHand();
    });
    this.#balls = new JointBalls(stage, bones);
    this.swinging = new Swinging(this.#bodies.map((body) => body.character.mesh));
    stage.scene.add(this.#gizmo.getHelper());
    this.#gizmo.addEventListener('dragging-changed', ({ value }) => {
      stage.controls.enabled = !value;
      if (value) this.#begin('Turn a joint');
      else this.end();
    });
    this.#gizmo.addEventListener('objectChange', () => this.#turnedByHand());
    this.#gizmo.addEventListener('change', () => this.#viewport.invalidate());
    const canvas = stage.renderer.domElement as HTMLCanvasElement;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal: this.#listeners.signal });
    this.#viewport.welcome(this);
    this.#turned();
  }

  /** A joint is chosen; the skin is pulled until the pointer is let go. */
  #press(event: PointerEvent): void {
    if (this.#beside || this.#gizmo.dragging || this.#gizmo.axis !== null || event.button !== 0) return;
    const caster = pointerRay(this.#viewport.stage, event);
    if (this.#handles?.press(event, caster, () => this.end())) return;
    const ball = this.#balls?.at(caster) ?? -1;
    if (ball >= 0) {
      this.choose(ball);
      return;
    }
    const { mesh } = this.#bodies[this.#shown].character;
    const [touched] = caster.intersectObject(mesh, false);
    if (!touched?.face) return;
    const { stage } = this.#viewport;
    const first = this.#bodies[0];
    const joint = first.bones[this.#strongestJoint(touched.face.a)];
    if (!joint) return;
    const pull = new SkinPull(joint, touched.point);
    this.#begin('Pull the skin');
    this.choose(first.bones.indexOf(joint));
    const onMove = (place: Vector3) => {
      pull.pullTo(place);
      this.#turnedByHand();
    };
    dragInPlane(stage, event, touched.point, onMove, () => this.end());
  }

  /** The joint that moves a vertex most, by the plainest of the bodies: those that were learnt have others between. */
  #strongestJoint(vertex: number): number {
    const name = (this.#bodies.find(({ isPlain }) => isPlain) ?? this.#bodies[0]).strongestJoint(vertex);
    return this.#bodies[0].bones.findIndex((other) => other.name === name);
  }

  get #posture(): Posture {
    return { joints: this.#motion?.joints ?? [], reaches: new Map(this.#reaches) };
  }

  #set({ joints, reaches }: Posture): void {
    this.#motion?.setJoints(joints);
    this.#reaches.clear();
    for (const [joint, reach] of reaches) this.#reaches.set(joint, reach);
    this.#turned();
  }

  /** 12 numbers a joint, rest to pose in the file's scene. */
  #readPose(): Float64Array {
    const { character, space } = this.#bodies[0];
    const { skeleton } = character.mesh;
    return space.toScene(skeleton.readPose(new Float64Array(12 * skeleton.joints.length)));
  }

  #goTo(posture: Posture | undefined): boolean {
    if (!posture) return false;
    this.#byHand = true;
    this.#set(posture);
    return true;
  }

  #begin(label: string): void {
    this.#steps.begin(label, this.#posture);
  }

  /** What the hand does next is another step. */
  end(): void {
    this.#steps.end();
  }

  /** Limbs that are held stay where they are. */
  #turnedByHand(): void {
    const label = this.#steps.changed();
    this.#byHand = true;
    for (const [joint, reach] of this.#reaches) this.#motion?.reach(joint, reach);
    this.#turned();
    if (label !== undefined) this.#events.onStep(label);
  }

  #turned(): void {
    const [first, ...others] = this.#bodies;
    for (const body of others) body.follow(first);
    for (const body of this.#bodies) body.update();
    this.swinging?.wake();
    this.#changed = true;
    this.#events.onTurn();
  }
}
