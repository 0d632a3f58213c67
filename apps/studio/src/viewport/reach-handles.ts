/** What limbs reach for, to be dragged: a box for the end, a small ball for the side that the middle points to. */
import {
  BoxGeometry,
  type BufferGeometry,
  BufferGeometry as Geometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Raycaster,
  SphereGeometry,
  type Vector3,
} from 'three/webgpu';
import type { Reach } from '../store/clips.ts';
import { dragInPlane } from './plane-drag.ts';
import type { Stage } from './stage.ts';

const COLOUR = '#4a6f9c';
/** Parts of the model's radius. */
const [BOX_SIZE, BALL_SIZE] = [0.06, 0.02];

interface Handle {
  readonly target: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly pole: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
}

export class ReachHandles {
  readonly #stage: Stage;
  readonly #root: Object3D;
  readonly #group = new Group();
  readonly #handles = new Map<string, Handle>();
  readonly #onMove: (joint: string, reach: Reach) => void;
  #reaches: ReadonlyMap<string, Reach> = new Map();

  /** @param root  of the character, in whose space reaches are */
  constructor(stage: Stage, root: Object3D, onMove: (joint: string, reach: Reach) => void) {
    this.#stage = stage;
    this.#root = root;
    this.#onMove = onMove;
    stage.world.add(this.#group);
  }

  show(reaches: ReadonlyMap<string, Reach>): void {
    this.#reaches = reaches;
    for (const [joint, handle] of this.#handles) {
      if (reaches.has(joint)) continue;
      this.#remove(handle);
      this.#handles.delete(joint);
    }
    for (const [joint, { at, pole }] of reaches) {
      const handle = this.#handles.get(joint) ?? this.#add();
      this.#handles.set(joint, handle);
      this.#root.localToWorld(handle.target.position.set(...at));
      this.#root.localToWorld(handle.pole.position.set(...pole));
      handle.line.geometry.setFromPoints([handle.target.position, handle.pole.position]);
    }
  }

  /** Takes hold of what is under the pointer; false where there is nothing. */
  press(event: PointerEvent, caster: Raycaster, onEnd: () => void): boolean {
    for (const [joint, { target, pole }] of this.#handles) {
      const [hit] = caster.intersectObjects([target, pole], false);
      if (!hit) continue;
      this.#drag(event, joint, hit.object === target ? 'at' : 'pole', hit.object.position.clone(), onEnd);
      return true;
    }
    return false;
  }

  dispose(): void {
    for (const handle of this.#handles.values()) this.#remove(handle);
    this.#group.removeFromParent();
  }

  #drag(event: PointerEvent, joint: string, which: 'at' | 'pole', from: Vector3, onEnd: () => void): void {
    const onMove = (place: Vector3) => {
      const before = this.#reaches.get(joint);
      if (before) this.#onMove(joint, { ...before, [which]: this.#root.worldToLocal(place).toArray() });
    };
    dragInPlane(this.#stage, event, from, onMove, onEnd);
  }

  #add(): Handle {
    const { radius } = this.#stage;
    const material = () => new MeshBasicMaterial({ color: COLOUR, depthTest: false, transparent: true, opacity: 0.9 });
    const box = BOX_SIZE * radius;
    const target = new Mesh<BufferGeometry, MeshBasicMaterial>(new BoxGeometry(box, box, box), material());
    const pole = new Mesh<BufferGeometry, MeshBasicMaterial>(
      new SphereGeometry(BALL_SIZE * radius, 16, 12),
      material(),
    );
    const line = new Line<BufferGeometry, LineBasicMaterial>(
      new Geometry(),
      new LineBasicMaterial({ color: COLOUR, depthTest: false, transparent: true, opacity: 0.4 }),
    );
    line.frustumCulled = false;
    for (const object of [target, pole, line]) {
      object.renderOrder = 16;
      this.#group.add(object);
    }
    return { target, pole, line };
  }

  #remove(handle: Handle): void {
    for (const object of Object.values(handle)) {
      object.removeFromParent();
      object.geometry.dispose();
      object.material.dispose();
    }
  }
}
