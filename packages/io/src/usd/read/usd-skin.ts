/** Skeletons of UsdSkel as nodes, and how meshes are bound to them. */
import type { SkinWeights } from '@pelt/model';
import { fitTrs } from '../../gltf/fit-trs.ts';
import { identityTransform, invert, isSingular, multiply, type Transform } from '../../gltf/transform.ts';
import type { SceneSkin } from '../../scene/file-scene.ts';
import type { WarningTally } from '../../warning-tally.ts';
import type { StagePrim, UsdStage } from './compose.ts';
import { numbersOf } from './usd-geometry.ts';
import { numberOf, textOf, wordsOf } from './usd-layer.ts';
import type { UsdNodes } from './usd-nodes.ts';
import { fromRows } from './usd-xform.ts';

export interface UsdSkeleton {
  readonly prim: StagePrim;
  /** Paths of its joints. */
  readonly joints: readonly string[];
  /** Nodes of its joints. */
  readonly nodes: readonly number[];
  /** From each joint to the skeleton's space where it is bound. */
  readonly binds: readonly Transform[];
  /** Paths of animations that move it, the first of which is the one that is shown. */
  readonly animations: string[];
}

/** More of a vertex are left out by glTF anyway. */
const MAX_SLOTS = 64;

export class UsdSkins {
  readonly skeletons = new Map<string, UsdSkeleton>();
  readonly skins: SceneSkin[] = [];
  readonly #nodes: UsdNodes;
  readonly #warnings: WarningTally;

  constructor(stage: UsdStage, nodes: UsdNodes, warnings: WarningTally) {
    this.#nodes = nodes;
    this.#warnings = warnings;
    for (const path of [...nodes.indices.keys()]) {
      const prim = stage.find(path);
      if (prim?.type === 'Skeleton') this.skeletons.set(path, this.#skeleton(prim));
    }
  }

  /** The skin of a mesh; `undefined` where it is not bound. */
  read(prim: StagePrim, points: number): { readonly skin: number; readonly weights: SkinWeights } | undefined {
    const indices = numbersOf(prim.properties.get('primvars:skel:jointIndices'));
    const weights = numbersOf(prim.properties.get('primvars:skel:jointWeights'));
    const skeleton = this.skeletons.get(this.inherited(prim, 'skel:skeleton')[0] ?? '');
    if (!indices || !weights || !skeleton) return undefined;
    const property = prim.properties.get('primvars:skel:jointIndices');
    const slots = numberOf(property?.metadata.elementSize, 1);
    const constant = textOf(property?.metadata.interpolation) === 'constant';
    const count = constant ? 1 : points;
    if (!(slots >= 1 && slots <= MAX_SLOTS) || indices.length < count * slots || weights.length < count * slots) {
      this.#warnings.add(
        `mesh '${prim.path}' has weights of ${slots} for fewer than its ${points} points; it is read without`,
      );
      return undefined;
    }
    const chosen = wordsOf(prim.properties.get('skel:joints')?.value());
    const joints =
      chosen.length > 0 ? chosen.map((path) => skeleton.joints.indexOf(path)) : [...skeleton.joints.keys()];
    const geometry = numbersOf(prim.properties.get('primvars:skel:geomBindTransform'));
    const bind = geometry?.length === 16 ? fromRows(geometry) : identityTransform();
    const inverseBinds = joints.map((j) => {
      const at = skeleton.binds[j];
      return at && !isSingular(at)
        ? multiply(invert(at, new Float64Array(12)), bind, new Float64Array(12))
        : identityTransform();
    });
    this.skins.push({ name: prim.name, joints: joints.map((j) => skeleton.nodes[Math.max(j, 0)]), inverseBinds });
    return {
      skin: this.skins.length - 1,
      weights: sorted(points, slots, (i, s) => {
        const k = (constant ? 0 : i) * slots + s;
        const joint = indices[k];
        return joint >= 0 && joint < joints.length ? [joint, weights[k]] : [0, 0];
      }),
    };
  }

  /** Targets of a relationship of a prim, or of the nearest above that has it. */
  inherited(prim: StagePrim, name: string): readonly string[] {
    for (const one of this.#nodes.upwards(prim)) {
      const targets = one.properties.get(name)?.targets ?? [];
      if (targets.length > 0) return targets;
    }
    return [];
  }

  #skeleton(prim: StagePrim): UsdSkeleton {
    const joints = wordsOf(prim.properties.get('joints')?.value());
    const place = this.#nodes.indices.get(prim.path) ?? -1;
    const transforms = (name: string) => {
      const numbers = numbersOf(prim.properties.get(name));
      return numbers && numbers.length >= 16 * joints.length && numbers.every(Number.isFinite)
        ? joints.map((_, j) => fromRows(numbers, 16 * j))
        : undefined;
    };
    const parents = joints.map((path) => joints.indexOf(path.slice(0, Math.max(path.lastIndexOf('/'), 0))));
    const stored = transforms('restTransforms');
    const bound = transforms('bindTransforms');
    const binds = bound ?? worldsOf(stored ?? joints.map(() => identityTransform()), parents);
    const rests = stored ?? binds.map((bind, j) => localOf(bind, binds[parents[j]]));
    const parent = this.#nodes.get(place);
    const animations = this.inherited(prim, 'skel:animationSource').slice(0, 1);
    const twin = [...this.skeletons.values()].find(
      (other) =>
        this.#nodes.get(this.#nodes.indices.get(other.prim.path) ?? 0).parent === parent.parent &&
        other.joints.join(' ') === joints.join(' ') &&
        other.animations[0] === animations[0],
    );
    const nodes: number[] = twin ? [...twin.nodes] : [];
    if (!twin) {
      joints.forEach((path, j) => {
        const above = parents[j] >= 0 && parents[j] < j ? nodes[parents[j]] : place;
        const name = path.slice(path.lastIndexOf('/') + 1);
        nodes.push(this.#nodes.addJoint(name, above, fitTrs(rests[j], Float64Array.of(0, 0, 0, 1))));
      });
    }
    return { prim, joints, nodes, binds, animations: [...animations] };
  }
}

/** Where joints are, from where each is in its parent. */
function worldsOf(locals: readonly Transform[], parents: readonly number[]): Transform[] {
  const worlds: Transform[] = [];
  locals.forEach((local, j) => {
    const above = worlds[parents[j]];
    worlds.push(above ? multiply(above, local, new Float64Array(12)) : local);
  });
  return worlds;
}

function localOf(world: Transform, above: Transform | undefined): Transform {
  if (!above || isSingular(above)) return world;
  return multiply(invert(above, new Float64Array(12)), world, new Float64Array(12));
}

/** A joint once for each vertex, largest weight first, of sum 1; a vertex without weights hangs on the first joint. */
function sorted(n: number, slots: number, at: (i: number, s: number) => readonly [number, number]): SkinWeights {
  const out = { slots, bones: new Uint16Array(n * slots), weights: new Float32Array(n * slots) };
  for (let i = 0; i < n; i++) {
    const row = new Map<number, number>();
    for (let s = 0; s < slots; s++) {
      const [joint, weight] = at(i, s);
      if (weight > 0) row.set(joint, (row.get(joint) ?? 0) + weight);
    }
    const items = row.size > 0 ? [...row].sort((a, b) => b[1] - a[1] || a[0] - b[0]) : [[0, 1]];
    const sum = items.reduce((total, [, weight]) => total + weight, 0);
    items.forEach(([joint, weight], s) => {
      out.bones[i * slots + s] = joint;
      out.weights[i * slots + s] = weight / sum;
    });
  }
  return out;
}
