/** The bones of a rig over its surface: joints as dots, hierarchy as lines, drawn on top. */
import { poseAt } from '@pelt/model';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshBasicMaterial,
  SphereGeometry,
} from 'three/webgpu';
import type { Played } from '../store/library.ts';
import { boneColours } from './palette.ts';

/** Of a joint, in parts of the model's radius. */
const JOINT_SIZE = 0.018;

export class BoneLines {
  readonly group = new Group();
  readonly #played: Played;
  readonly #joints: InstancedMesh<SphereGeometry, MeshBasicMaterial>;
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #places: Float32Array;
  readonly #size: number;
  readonly #matrix = new Matrix4();

  constructor(played: Played, radius: number) {
    this.#played = played;
    const { bones } = played.rig;
    this.#size = JOINT_SIZE * radius;
    this.#places = new Float32Array(3 * bones.length);
    const children = bones.filter(({ parent }) => parent >= 0).length;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * Math.max(1, children)), 3));
    this.#lines = new LineSegments(geometry, new LineBasicMaterial({ color: '#22262b', depthTest: false }));
    this.#joints = new InstancedMesh(
      new SphereGeometry(1, 14, 10),
      new MeshBasicMaterial({ depthTest: false }),
      bones.length,
    );
    boneColours(bones.length).forEach(([r, g, b], j) => {
      this.#joints.setColorAt(j, new Color().setRGB(0.75 * r, 0.75 * g, 0.75 * b));
    });
    for (const object of [this.#lines, this.#joints]) {
      object.frustumCulled = false;
      object.renderOrder = 10;
      this.group.add(object);
    }
    this.#lines.visible = children > 0;
  }

  show(t: number): void {
    const { rig, clip } = this.#played;
    const { transforms } = poseAt(clip, Math.min(t, clip.times.length - 1), rig.bones.length);
    rig.bones.forEach(({ rest }, j) => {
      applyPoint(transforms, 12 * j, rest[3], rest[7], rest[11], this.#places, 3 * j);
      this.#matrix.makeScale(this.#size, this.#size, this.#size);
      this.#matrix.setPosition(this.#places[3 * j], this.#places[3 * j + 1], this.#places[3 * j + 2]);
      this.#joints.setMatrixAt(j, this.#matrix);
    });
    this.#joints.instanceMatrix.needsUpdate = true;
    const ends = this.#lines.geometry.getAttribute('position');
    let k = 0;
    rig.bones.forEach(({ parent }, j) => {
      if (parent < 0) return;
      for (const end of [parent, j]) {
        ends.setXYZ(k++, this.#places[3 * end], this.#places[3 * end + 1], this.#places[3 * end + 2]);
      }
    });
    ends.needsUpdate = true;
  }

  dispose(): void {
    this.group.removeFromParent();
    this.#joints.dispose();
    for (const { geometry, material } of [this.#joints, this.#lines]) {
      geometry.dispose();
      material.dispose();
    }
  }
}

/** A point through a row-major 3 × 4 transform. */
function applyPoint(m: Float64Array, at: number, x: number, y: number, z: number, out: Float32Array, to: number): void {
  for (let row = 0; row < 3; row++) {
    const k = at + 4 * row;
    out[to + row] = m[k] * x + m[k + 1] * y + m[k + 2] * z + m[k + 3];
  }
}
