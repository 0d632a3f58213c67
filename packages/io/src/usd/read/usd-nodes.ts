/** Nodes of a scene: prims that are or contain meshes and skeletons, and the joints of skeletons. */
import { fitTrs } from '../../gltf/fit-trs.ts';
import {
  composeTrs,
  identityTransform,
  identityTrs,
  multiply,
  type Transform,
  type Trs,
} from '../../gltf/transform.ts';
import type { WarningTally } from '../../warning-tally.ts';
import type { StagePrim, UsdStage } from './compose.ts';
import { numberOf, textOf } from './usd-layer.ts';
import { UsdXform } from './usd-xform.ts';

/** What USD means where a file does not say it. */
const [DEFAULT_UNIT, DEFAULT_RATE] = [0.01, 24];
/** Prims that have no place in a scene of meshes, and say nothing about them by being there. */
const SILENT = /^(Material|Shader|NodeGraph|SkelAnimation|BlendShape|GeomSubset|Scope|Xform|SkelRoot|Skeleton|Mesh|)$/;
const SHEAR = 1e-5;
const IDENTITY = Float64Array.of(0, 0, 0, 1);

export interface UsdNode {
  readonly name: string;
  readonly parent: number;
  readonly trs: Trs;
  /** What it is, unless it is a joint or the unit of the stage. */
  readonly prim: StagePrim | undefined;
  readonly xform: UsdXform | undefined;
}

export class UsdNodes {
  readonly nodes: UsdNode[] = [];
  /** Node of each prim, by its path. */
  readonly indices = new Map<string, number>();
  /** Prims from the top down to each. */
  readonly #above = new Map<string, StagePrim | undefined>();
  /** Time codes per second. */
  readonly rate: number;
  readonly #warnings: WarningTally;

  constructor({ metadata, prims }: UsdStage, warnings: WarningTally) {
    this.#warnings = warnings;
    const rate = numberOf(metadata.timeCodesPerSecond, DEFAULT_RATE);
    this.rate = rate > 0 ? rate : DEFAULT_RATE;
    const unit = numberOf(metadata.metersPerUnit, DEFAULT_UNIT);
    const top = this.#stage(unit > 0 ? unit : DEFAULT_UNIT, textOf(metadata.upAxis).toUpperCase() === 'Z');
    for (const prim of prims) this.#add(prim, top, undefined);
  }

  get(index: number): UsdNode {
    return this.nodes[index];
  }

  addJoint(name: string, parent: number, trs: Trs): number {
    this.nodes.push({ name, parent, trs, prim: undefined, xform: undefined });
    return this.nodes.length - 1;
  }

  /** The prim itself, then those above it, the nearest first. */
  *upwards(prim: StagePrim): Generator<StagePrim> {
    for (let one: StagePrim | undefined = prim; one; one = this.#above.get(one.path)) yield one;
  }

  /** Where a node is at a time code. */
  worldAt(index: number, code: number): Transform {
    let world = identityTransform();
    for (let k = index; k >= 0; k = this.nodes[k].parent) {
      const { xform, trs } = this.nodes[k];
      const own = xform ? xform.at(code) : composeTrs(trs, new Float64Array(12));
      world = multiply(own, world, new Float64Array(12));
    }
    return world;
  }

  /** A node for the unit and the axis of a stage that is not in metres with the y axis up; −1 for one that is. */
  #stage(unit: number, zUp: boolean): number {
    if (unit === 1 && !zUp) return -1;
    const half = Math.SQRT1_2;
    const trs = {
      ...identityTrs(),
      rotation: zUp ? Float64Array.of(-half, 0, 0, half) : IDENTITY.slice(),
      scale: new Float64Array(3).fill(unit),
    };
    return this.addJoint('stage', -1, trs);
  }

  #add(prim: StagePrim, parent: number, above: StagePrim | undefined): void {
    this.#above.set(prim.path, above);
    if (!SILENT.test(prim.type)) this.#warnings.add(`prims of type '${prim.type}' are left out`);
    if (textOf(prim.properties.get('visibility')?.value()) === 'invisible') return;
    const purpose = textOf(prim.properties.get('purpose')?.value());
    if (purpose === 'guide' || purpose === 'proxy' || !isNeeded(prim)) return;
    const xform = new UsdXform(prim);
    const local = xform.at(Number.NEGATIVE_INFINITY);
    const trs = fitTrs(local, IDENTITY);
    if (shears(local, trs)) {
      this.#warnings.add(`'${prim.path}' shears; the nearest translation, rotation and scale are read`);
    }
    const place = xform.resets && this.nodes[0]?.name === 'stage' && !this.nodes[0].prim ? 0 : -1;
    this.indices.set(prim.path, this.nodes.length);
    const name = textOf(prim.metadata.displayName) || prim.name;
    this.nodes.push({ name, parent: xform.resets ? place : parent, trs, prim, xform });
    const own = this.nodes.length - 1;
    for (const child of prim.children) this.#add(child, own, prim);
  }
}

function isNeeded(prim: StagePrim): boolean {
  return prim.type === 'Mesh' || prim.type === 'Skeleton' || prim.children.some(isNeeded);
}

function shears(a: Transform, trs: Trs): boolean {
  const back = composeTrs(trs, new Float64Array(12));
  const size = a.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return a.some((value, k) => Math.abs(value - back[k]) > SHEAR * size);
}
