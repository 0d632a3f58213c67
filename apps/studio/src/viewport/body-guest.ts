/** The body at rest, to be prepared by hand: joints are placed in it by clicking, constraints are painted on it. */
import type { Mesh as ModelMesh } from '@pelt/model';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  SphereGeometry,
} from 'three/webgpu';
import type { MirrorPlane, PlacedJoint, Point } from '../store/placed-skeleton.ts';
import { INK, NEUTRAL } from './palette.ts';
import { pointerRay } from './pointer-ray.ts';
import type { Guest, Viewport } from './viewport.ts';

const CHOSEN = '#d9822b';
/** Of a joint, in parts of the model's radius. */
const JOINT_SIZE = 0.022;
/** Farther than this between press and release turns the camera, and places nothing. */
const CLICK_PIXELS = 4;

export type BodyTool = 'joints' | 'paint';

export interface BodyGuestEvents {
  /** A place inside the body was clicked: where the line of sight enters the body there, and where it leaves it. */
  onPlace(through: readonly [Point, Point]): void;
  onPick(joint: number): void;
  /** The brush is over a point of the surface; `erase` takes away. */
  onBrush(at: Point, erase: boolean): void;
}

export class BodyGuest implements Guest {
  readonly plays = false;
  readonly #viewport: Viewport;
  readonly #events: BodyGuestEvents;
  readonly #mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly #joints = new Group();
  readonly #plane: Mesh<PlaneGeometry, MeshBasicMaterial>;
  readonly #listeners = new AbortController();
  #tool: BodyTool = 'joints';
  #painting = false;

  constructor(viewport: Viewport, { positions, triangles }: ModelMesh, events: BodyGuestEvents) {
    this.#viewport = viewport;
    this.#events = events;
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(triangles, 1));
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(positions.length), 3));
    geometry.computeVertexNormals();
    const material = new MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.78,
      transparent: true,
      opacity: 0.55,
      side: DoubleSide,
    });
    this.#mesh = new Mesh(geometry, material);
    this.#mesh.castShadow = true;
    const glass = { color: CHOSEN, transparent: true, opacity: 0.12, side: DoubleSide, depthWrite: false };
    this.#plane = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial(glass));
    this.#plane.visible = false;
    viewport.stage.world.add(this.#mesh, this.#joints, this.#plane);
    this.showConstraints([]);
    const canvas = viewport.stage.renderer.domElement as HTMLCanvasElement;
    const { signal } = this.#listeners;
    let pressed = { x: 0, y: 0 };
    canvas.addEventListener(
      'pointerdown',
      (event) => {
        pressed = { x: event.clientX, y: event.clientY };
        if (this.#tool === 'paint' && event.button === 0) this.#startPainting(event, canvas);
      },
      { signal },
    );
    canvas.addEventListener('pointermove', (event) => this.#painting && this.#paint(event), { signal });
    canvas.addEventListener(
      'pointerup',
      (event) => {
        if (this.#painting) this.#stopPainting();
        else if (
          this.#tool === 'joints' &&
          Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) <= CLICK_PIXELS
        )
          this.#click(event);
      },
      { signal },
    );
    viewport.welcome(this);
  }

  set tool(tool: BodyTool) {
    this.#tool = tool;
    this.#mesh.material.opacity = tool === 'paint' ? 1 : 0.55;
    this.#viewport.invalidate();
  }

  showJoints(joints: readonly PlacedJoint[], chosen: number): void {
    this.#clearJoints();
    const size = JOINT_SIZE * this.#viewport.stage.radius;
    joints.forEach(({ at }, j) => {
      const colour = j === chosen ? CHOSEN : INK;
      const ball = new Mesh(
        new SphereGeometry(size, 16, 12),
        new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true }),
      );
      ball.position.set(...at);
      ball.renderOrder = 15;
      this.#joints.add(ball);
    });
    const ends = joints.flatMap(({ parent, at }) => (parent < 0 ? [] : [...joints[parent].at, ...at]));
    if (ends.length > 0) {
      const lines = new BufferGeometry();
      lines.setAttribute('position', new BufferAttribute(Float32Array.from(ends), 3));
      const segments = new LineSegments(
        lines,
        new LineBasicMaterial({ color: INK, depthTest: false, transparent: true }),
      );
      segments.renderOrder = 14;
      this.#joints.add(segments);
    }
    this.#viewport.invalidate();
  }

  /** Shows the plane that what is done on one side is mirrored by. */
  showPlane(plane: MirrorPlane | undefined): void {
    this.#plane.visible = plane !== undefined;
    this.#viewport.invalidate();
    if (!plane) return;
    this.#mesh.geometry.computeBoundingBox();
    const box = this.#mesh.geometry.boundingBox;
    if (!box) return;
    const size = box.getSize(this.#plane.scale.clone());
    box.getCenter(this.#plane.position);
    if (plane.axis === 0) this.#plane.position.x = plane.at;
    else this.#plane.position.z = plane.at;
    this.#plane.rotation.y = plane.axis === 0 ? Math.PI / 2 : 0;
    this.#plane.scale.set(1.15 * (plane.axis === 0 ? size.z : size.x), 1.15 * size.y, 1);
  }

  /** Colours the vertices that hold to the bones. */
  showConstraints(vertices: readonly number[]): void {
    const colours = this.#mesh.geometry.getAttribute('color');
    const held = new Color(CHOSEN);
    for (let i = 0; i < colours.count; i++) colours.setXYZ(i, ...NEUTRAL);
    for (const i of vertices) colours.setXYZ(i, held.r, held.g, held.b);
    colours.needsUpdate = true;
    this.#viewport.invalidate();
  }

  update(): boolean {
    return false;
  }

  play(): void {}

  dispose(): void {
    this.#listeners.abort();
    this.#stopPainting();
    this.#clearJoints();
    this.#joints.removeFromParent();
    this.#plane.removeFromParent();
    this.#plane.geometry.dispose();
    this.#plane.material.dispose();
    this.#mesh.removeFromParent();
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
    this.#viewport.dismiss(this);
  }

  #clearJoints(): void {
    for (const part of [...this.#joints.children] as Mesh[]) {
      part.geometry.dispose();
      (part.material as MeshBasicMaterial).dispose();
      part.removeFromParent();
    }
  }

  /** A joint is picked, or else placed. */
  #click(event: PointerEvent): void {
    const caster = pointerRay(this.#viewport.stage, event);
    const balls = this.#joints.children.filter((part) => part instanceof Mesh);
    const [ball] = caster.intersectObjects(balls, false);
    if (ball) {
      this.#events.onPick(balls.indexOf(ball.object as Mesh));
      return;
    }
    const [enters, leaves] = caster.intersectObject(this.#mesh, false);
    if (enters) this.#events.onPlace([enters.point.toArray(), (leaves ?? enters).point.toArray()]);
  }

  #startPainting(event: PointerEvent, canvas: HTMLCanvasElement): void {
    if (!pointerRay(this.#viewport.stage, event).intersectObject(this.#mesh, false)[0]) return;
    this.#painting = true;
    this.#viewport.stage.controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    this.#paint(event);
  }

  #stopPainting(): void {
    this.#painting = false;
    this.#viewport.stage.controls.enabled = true;
  }

  #paint(event: PointerEvent): void {
    const [hit] = pointerRay(this.#viewport.stage, event).intersectObject(this.#mesh, false);
    if (hit) this.#events.onBrush(hit.point.toArray(), event.altKey || event.shiftKey);
  }
}
