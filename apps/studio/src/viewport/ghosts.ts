/** Shapes that are seen through, beside the one that is posed: the keys before and after, in a colour each. */
import { BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshBasicMaterial } from 'three/webgpu';
import type { Viewport } from './viewport.ts';

export interface Ghost {
  /** n × 3 */
  readonly positions: Float32Array;
  /** f × 3 */
  readonly triangles: Uint32Array;
}

/** Blue before, orange after, as in most programs. */
const COLOURS = ['#4a6f9c', '#d9822b'] as const;
const OPACITY = 0.28;

export class Ghosts {
  readonly #viewport: Viewport;
  readonly #group = new Group();

  constructor(viewport: Viewport) {
    this.#viewport = viewport;
    viewport.stage.world.add(this.#group);
  }

  /** @param ghosts  the one before and the one after; undefined: there is none */
  show(ghosts: readonly [Ghost | undefined, Ghost | undefined]): void {
    this.#clear();
    ghosts.forEach((ghost, k) => {
      if (!ghost) return;
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(ghost.positions, 3));
      geometry.setIndex(new BufferAttribute(ghost.triangles, 1));
      const material = new MeshBasicMaterial({
        color: new Color(COLOURS[k]),
        transparent: true,
        opacity: OPACITY,
        depthWrite: false,
        // Behind the character where the two are one: what differs is what is to be seen.
        polygonOffset: true,
        polygonOffsetFactor: 2,
        polygonOffsetUnits: 8,
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.name = 'ghost';
      this.#group.add(mesh);
    });
    this.#viewport.invalidate();
  }

  dispose(): void {
    this.#clear();
    this.#group.removeFromParent();
    this.#viewport.invalidate();
  }

  #clear(): void {
    for (const mesh of [...this.#group.children]) {
      mesh.removeFromParent();
      if (mesh instanceof Mesh) {
        mesh.geometry.dispose();
        (mesh.material as MeshBasicMaterial).dispose();
      }
    }
  }
}
