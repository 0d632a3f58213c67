/** Evaluates the object-to-world transforms of objects at any time. */
import { identityTransform, multiply, type Transform } from '../gltf/transform.ts';
import type { AbcObject } from './object-tree.ts';
import type { SampledProperty } from './property.ts';
import { Xform } from './xform.ts';

interface Node {
  readonly xform: Xform | undefined;
  /** Index of the parent node; −1 for none. */
  readonly parent: number;
  readonly world: Transform;
}

export class WorldTransforms {
  /** Parents before children. */
  readonly #nodes: Node[] = [];
  readonly #numbers = new Map<AbcObject, number>();
  readonly #local = identityTransform();

  /** @param objects  the objects to evaluate; their ancestors are included */
  constructor(objects: Iterable<AbcObject>, label: string) {
    for (const object of objects) this.#add(object, label);
  }

  /** All animated transform properties. */
  get changing(): SampledProperty[] {
    return this.#nodes.flatMap(({ xform }) => xform?.changing ?? []);
  }

  setTime(time: number): void {
    for (const { xform, parent, world } of this.#nodes) {
      const above = parent >= 0 ? this.#nodes[parent].world : ORIGIN;
      if (!xform) world.set(above);
      else {
        xform.at(time, this.#local);
        if (xform.inherits(time)) multiply(above, this.#local, world);
        else world.set(this.#local);
      }
    }
  }

  /** The transform at the time last set; overwritten by the next call of setTime. */
  of(object: AbcObject): Transform {
    return this.#nodes[this.#numbers.get(object) ?? -1]?.world ?? ORIGIN;
  }

  #add(object: AbcObject, label: string): void {
    const missing: AbcObject[] = [];
    for (let next: AbcObject | undefined = object; next && !this.#numbers.has(next); next = next.parent) {
      missing.push(next);
    }
    for (let k = missing.length - 1; k >= 0; k--) {
      const next = missing[k];
      this.#numbers.set(next, this.#nodes.length);
      const xform = next.kind === 'Xform' ? new Xform(next, label) : undefined;
      const parent = next.parent ? (this.#numbers.get(next.parent) ?? -1) : -1;
      this.#nodes.push({ xform, parent, world: identityTransform() });
    }
  }
}

const ORIGIN = identityTransform();
