import { type ColorRepresentation, InstancedMesh, Matrix4, MeshBasicMaterial, SphereGeometry } from 'three/webgpu';
import type { Stage } from './stage.ts';

/** Many small balls in one colour, seen through the skin. */
export class Dots {
  readonly #stage: Stage;
  readonly #size: number;
  readonly #colour: ColorRepresentation;
  #mesh: InstancedMesh | undefined;

  /** @param size  of a ball, in parts of the model's radius */
  constructor(stage: Stage, colour: ColorRepresentation, size: number) {
    this.#stage = stage;
    this.#colour = colour;
    this.#size = size;
  }

  /** @param places  count × 3 */
  show(places: ArrayLike<number>): void {
    const count = places.length / 3;
    if (this.#mesh && this.#mesh.instanceMatrix.count < count) this.dispose();
    if (count === 0 && !this.#mesh) return;
    this.#mesh ??= this.#make(count);
    const matrix = new Matrix4();
    for (let k = 0; k < count; k++) {
      this.#mesh.setMatrixAt(k, matrix.makeTranslation(places[3 * k], places[3 * k + 1], places[3 * k + 2]));
    }
    this.#mesh.count = count;
    this.#mesh.visible = count > 0;
    this.#mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.#mesh?.removeFromParent();
    this.#mesh?.geometry.dispose();
    (this.#mesh?.material as MeshBasicMaterial | undefined)?.dispose();
    this.#mesh?.dispose();
    this.#mesh = undefined;
  }

  #make(count: number): InstancedMesh {
    const geometry = new SphereGeometry(this.#size * this.#stage.radius, 8, 6);
    const look = { color: this.#colour, depthTest: false, transparent: true, opacity: 0.75 };
    const mesh = new InstancedMesh(geometry, new MeshBasicMaterial(look), count);
    mesh.renderOrder = 14;
    mesh.frustumCulled = false;
    this.#stage.world.add(mesh);
    return mesh;
  }
}
