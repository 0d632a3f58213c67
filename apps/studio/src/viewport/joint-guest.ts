/**
 * A character whose joints are turned by hand, deformed in several ways to choose from: all of them follow the same joints,
 * and one is shown.
 */

import type { Mesh as ModelMesh } from '@pelt/model';
import type { VolumeBinding } from '@pelt/skin/volume/runtime';
import { meshOf, RestSpace, VolumeDriver } from '@pelt/three';
import { enhance } from '@pelt/three/webgpu';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { type Bone, Euler, Mesh, MeshBasicMaterial, Plane, Quaternion, SphereGeometry, Vector3 } from 'three/webgpu';
import { type Character, closeCharacter, jointNames, openCharacter } from './character.ts';
import { enclosedVolume, posedPositions } from './enclosed-volume.ts';
import { pointerRay } from './pointer-ray.ts';
import { SkinPull } from './skin-pull.ts';
import type { Guest, Viewport } from './viewport.ts';

const JOINT_COLOUR = '#22262b';
const CHOSEN_COLOUR = '#d9822b';
/** Of the rings about x, y and z, and of the one under the pointer: those of the figures. */
const RING_COLOURS = ['#b4553c', '#5f8a5a', '#4a6f9c', CHOSEN_COLOUR] as const;
/** Of a joint's ball, in parts of the model's radius. */
const JOINT_SIZE = 0.022;

/** One way to deform the character. */
export interface Manner {
  readonly name: string;
  readonly bytes: ArrayBuffer;
  /** Absent: as the file says. */
  readonly skinning?: 'linear' | 'dual-quaternion';
  /** Deform it as a solid body. */
  readonly binding?: VolumeBinding;
}

type Ball = Mesh<SphereGeometry, MeshBasicMaterial>;

interface Body extends Character {
  readonly name: string;
  readonly bones: readonly Bone[];
  readonly driver: VolumeDriver | undefined;
  readonly space: RestSpace;
  readonly restVolume: number;
  /** How each joint stands in the file. */
  readonly rest: readonly Quaternion[];
}

export interface JointGuestEvents {
  /** Another joint is the one that turns. */
  onChoose(joint: number): void;
  /** Joints have turned, or the shape has followed them. */
  onTurn(): void;
  onError(error: Error): void;
}

export class JointGuest implements Guest {
  readonly plays = false;
  readonly #viewport: Viewport;
  readonly #events: JointGuestEvents;
  readonly #bodies: Body[] = [];
  readonly #gizmo: TransformControls;
  readonly #balls: Ball[] = [];
  readonly #past: Quaternion[][] = [];
  readonly #future: Quaternion[][] = [];
  readonly #listeners = new AbortController();
  #shown = 0;
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

  get canUndo(): boolean {
    return this.#past.some((pose) => !this.#isAt(pose));
  }

  get canRedo(): boolean {
    return this.#future.some((pose) => !this.#isAt(pose));
  }

  get joints(): readonly string[] {
    return jointNames(this.#bodies[0].mesh);
  }

  /** Twelve numbers, rest to pose in the file's scene, for each bone by its name in the file. */
  get transforms(): Record<string, number[]> {
    const { skeleton } = this.#bodies[0].mesh;
    const pose = skeleton.readPose(new Float64Array(12 * skeleton.joints.length));
    this.#bodies[0].space.toScene(pose);
    return Object.fromEntries(this.joints.map((name, j) => [name, [...pose.subarray(12 * j, 12 * j + 12)]]));
  }

  /** The shape that is shown, as a mesh of its own. */
  get shape(): ModelMesh {
    const { mesh } = this.#bodies[this.#shown];
    const positions = posedPositions(mesh);
    return { ...meshOf(mesh.name, [mesh.geometry]), positions: Float32Array.from(positions) };
  }

  /** Volume of the shape that is shown, in volumes at rest. */
  get volume(): number {
    const { mesh, restVolume } = this.#bodies[this.#shown];
    return enclosedVolume(mesh, true) / (restVolume || 1);
  }

  show(name: string): void {
    this.#shown = Math.max(
      0,
      this.#bodies.findIndex((body) => body.name === name),
    );
    this.#turned();
  }

  update(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    const { scene } = this.#viewport.stage;
    this.#bodies.forEach(({ root }, k) => {
      root.visible = k === this.#shown;
    });
    scene.updateMatrixWorld();
    const place = new Vector3();
    for (const [j, bone] of this.#bodies[0].bones.entries()) {
      this.#balls[j].position.copy(bone.getWorldPosition(place));
    }
    this.#viewport.poseSkins();
    return true;
  }

  undo(): boolean {
    return this.#travel(this.#past, this.#future);
  }

  redo(): boolean {
    return this.#travel(this.#future, this.#past);
  }

  play(): void {}

  /** All joints as in the file. */
  reset(): void {
    this.#past.push(this.#pose());
    this.#future.length = 0;
    this.#setPose(this.#bodies[0].rest);
  }

  /** Chooses the joint that the rings turn. */
  choose(j: number): void {
    this.#gizmo.attach(this.#bodies[0].bones[j]);
    for (const [k, ball] of this.#balls.entries()) ball.material.color.set(k === j ? CHOSEN_COLOUR : JOINT_COLOUR);
    this.#changed = true;
    this.#events.onChoose(j);
  }

  /** Turns a joint about one of its own axes, in degrees from the rest pose. */
  turn(j: number, x: number, y: number, z: number): void {
    const bone = this.#bodies[0].bones[j];
    const [a, b, c] = [x, y, z].map((degrees) => (degrees * Math.PI) / 360);
    const about = (axis: Vector3, half: number) => new Quaternion().setFromAxisAngle(axis, 2 * half);
    const turn = about(new Vector3(1, 0, 0), a)
      .multiply(about(new Vector3(0, 1, 0), b))
      .multiply(about(new Vector3(0, 0, 1), c));
    bone.quaternion.copy(this.#bodies[0].rest[j]).multiply(turn);
    this.#turned();
  }

  /** How a joint is turned from the rest pose, in degrees about its own axes. */
  turnOf(j: number): readonly [number, number, number] {
    const turn = this.#bodies[0].rest[j].clone().invert().multiply(this.#bodies[0].bones[j].quaternion);
    const { x, y, z } = new Euler().setFromQuaternion(turn, 'XYZ');
    const degrees = (radians: number) => Math.round((radians * 180) / Math.PI);
    return [degrees(x), degrees(y), degrees(z)];
  }

  /** Marks where undo comes back to. */
  mark(): void {
    this.#past.push(this.#pose());
    this.#future.length = 0;
  }

  dispose(): void {
    this.#listeners.abort();
    this.#gizmo.detach();
    this.#gizmo.getHelper().removeFromParent();
    this.#gizmo.dispose();
    for (const body of this.#bodies) {
      body.driver?.dispose();
      closeCharacter(body);
    }
    for (const ball of this.#balls) ball.removeFromParent();
    this.#viewport.stage.controls.enabled = true;
    this.#viewport.dismiss(this);
  }

  async #load({ name, bytes, skinning, binding }: Manner): Promise<void> {
    const { stage } = this.#viewport;
    const character = await openCharacter(stage, bytes);
    const { root, mesh } = character;
    const restVolume = enclosedVolume(mesh, false);
    if (!mesh.geometry.hasAttribute('normal')) mesh.geometry.computeVertexNormals();
    const space = new RestSpace(mesh, root);
    const driver = binding && new VolumeDriver(mesh, binding, { space });
    const bones = mesh.skeleton.joints as readonly Bone[];
    const rest = bones.map(({ quaternion }) => quaternion.clone());
    // Kept before anything can fail, so that it is taken off the stage then.
    this.#bodies.push({ ...character, name, bones, driver, space, restVolume, rest });
    if (driver) {
      driver.addEventListener('change', () => {
        this.#changed = true;
        this.#events.onTurn();
      });
      driver.addEventListener('error', ({ error }) => this.#events.onError(error));
      await driver.ready;
    } else enhance(root, stage.renderer, { normals: 'exact', ...(skinning && { skinning }) });
  }

  #start(): void {
    const { stage } = this.#viewport;
    const [{ bones }] = this.#bodies;
    for (const _ of bones) {
      const material = new MeshBasicMaterial({
        color: JOINT_COLOUR,
        depthTest: false,
        opacity: 0.85,
        transparent: true,
      });
      const ball = new Mesh(new SphereGeometry(JOINT_SIZE * stage.radius, 16, 12), material);
      ball.renderOrder = 15;
      stage.world.add(ball);
      this.#balls.push(ball);
    }
    stage.scene.add(this.#gizmo.getHelper());
    this.#gizmo.addEventListener('dragging-changed', ({ value }) => {
      stage.controls.enabled = !value;
      if (value) this.mark();
    });
    this.#gizmo.addEventListener('objectChange', () => this.#turned());
    this.#gizmo.addEventListener('change', () => this.#viewport.invalidate());
    const canvas = stage.renderer.domElement as HTMLCanvasElement;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), { signal: this.#listeners.signal });
    this.#viewport.welcome(this);
    this.#turned();
  }

  /** A joint is chosen; the skin is pulled until the pointer is let go. */
  #press(event: PointerEvent): void {
    if (this.#gizmo.dragging || this.#gizmo.axis !== null || event.button !== 0) return;
    const caster = pointerRay(this.#viewport.stage, event);
    const [hit] = caster.intersectObjects(this.#balls, false);
    if (hit) {
      this.choose(this.#balls.indexOf(hit.object as Ball));
      return;
    }
    const { mesh } = this.#bodies[this.#shown];
    const [touched] = caster.intersectObject(mesh, false);
    if (!touched?.face) return;
    const { stage } = this.#viewport;
    const first = this.#bodies[0];
    const joint = first.bones[this.#strongestJoint(touched.face.a)];
    if (!joint) return;
    const pull = new SkinPull(joint, touched.point);
    const plane = new Plane().setFromNormalAndCoplanarPoint(
      stage.camera.getWorldDirection(new Vector3()),
      touched.point,
    );
    this.mark();
    this.choose(first.bones.indexOf(joint));
    stage.controls.enabled = false;
    const ended = new AbortController();
    const { signal } = ended;
    const canvas = stage.renderer.domElement as HTMLCanvasElement;
    canvas.setPointerCapture(event.pointerId);
    canvas.addEventListener(
      'pointermove',
      (moved) => {
        const target = pointerRay(this.#viewport.stage, moved).ray.intersectPlane(plane, new Vector3());
        if (!target) return;
        pull.pullTo(target);
        this.#turned();
      },
      { signal },
    );
    const end = () => {
      ended.abort();
      stage.controls.enabled = true;
    };
    for (const name of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(name, end, { signal });
  }

  /** The joint that moves a vertex most, by the plainest of the bodies: those that were learnt have others between. */
  #strongestJoint(vertex: number): number {
    const plain = this.#bodies.find(({ mesh }) => mesh.model.added === 0) ?? this.#bodies[0];
    const { skin, masters, added } = plain.mesh.model;
    const bone = skin.bones[vertex * skin.slots];
    const joint = bone >= added ? bone - added : masters?.bones[bone * masters.slots];
    const name = plain.bones[joint ?? 0]?.name;
    return this.#bodies[0].bones.findIndex((other) => other.name === name);
  }

  #pose(): Quaternion[] {
    return this.#bodies[0].bones.map(({ quaternion }) => quaternion.clone());
  }

  #setPose(pose: readonly Quaternion[]): void {
    for (const [j, bone] of this.#bodies[0].bones.entries()) bone.quaternion.copy(pose[j]);
    this.#turned();
  }

  #isAt(pose: readonly Quaternion[]): boolean {
    return this.#bodies[0].bones.every(({ quaternion }, j) => quaternion.equals(pose[j]));
  }

  #travel(from: Quaternion[][], to: Quaternion[][]): boolean {
    let pose = from.pop();
    // Marks between which nothing was turned are no steps.
    while (pose && this.#isAt(pose)) pose = from.pop();
    if (!pose) return false;
    to.push(this.#pose());
    this.#setPose(pose);
    return true;
  }

  /** The other bodies follow the first by the names of their joints, each from where its own file has them. */
  #turned(): void {
    const [first, ...others] = this.#bodies;
    const turns = new Map(
      first.bones.map(({ name, quaternion }, j) => [name, first.rest[j].clone().invert().multiply(quaternion)]),
    );
    for (const { bones, rest } of others) {
      for (const [j, bone] of bones.entries()) {
        const turn = turns.get(bone.name);
        if (turn) bone.quaternion.copy(rest[j]).multiply(turn);
      }
    }
    for (const { root, driver, morphs } of this.#bodies) {
      root.updateMatrixWorld(true);
      for (const set of morphs) set.update();
      driver?.update();
    }
    this.#changed = true;
    this.#events.onTurn();
  }
}
