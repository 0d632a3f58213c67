/**
 * Prims of a stage, composed of the opinions of all layers that speak of them, strongest first: the prim itself, what it
 * inherits, its chosen variants, references, payloads, and what it specialises. Paths inside a referenced layer are those
 * of the stage afterwards.
 *
 * Reference: Pixar. OpenUSD glossary, "LIVRPS strength ordering".
 */
import { InputError } from '@pelt/model';
import type { WarningTally } from '../../warning-tally.ts';
import {
  isDictionary,
  textOf,
  type UsdLayer,
  type UsdPrim,
  type UsdProperty,
  type UsdReference,
  type UsdValue,
  wordsOf,
} from './usd-layer.ts';

export interface StagePrim {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, UsdValue>>;
  readonly properties: ReadonlyMap<string, UsdProperty>;
  readonly children: readonly StagePrim[];
}

export interface UsdStage {
  readonly metadata: Readonly<Record<string, UsdValue>>;
  readonly prims: readonly StagePrim[];
  /** The prim at a path. */
  find(path: string): StagePrim | undefined;
}

type LayerAt = (path: string) => UsdLayer | undefined;

/** Opinions of one prim in one layer. */
interface Opinion {
  readonly prim: UsdPrim;
  readonly layer: UsdLayer;
  /** Path of the layer's file, which others are relative to. */
  readonly file: string;
  /** From paths of the layer to those of the stage. */
  readonly map: (path: string) => string;
}

const MAX_PRIMS = 200_000;
const MAX_ARCS = 64;

export function composeStage(root: string, layerAt: LayerAt, warnings: WarningTally): UsdStage {
  const layers = layersOf(root, layerAt, new Set());
  if (layers.length === 0) throw new InputError('it holds no layer of USD; export it again');
  const composer = new Composer(layerAt, warnings);
  const names = [...new Set(layers.flatMap(({ layer }) => layer.prims.map(({ name }) => name)))];
  const opinions = (name: string): Opinion[] =>
    layers.flatMap(({ layer, file }) => {
      const prim = layer.prims.find((one) => one.name === name);
      return prim ? [{ prim, layer, file, map: (path: string) => path }] : [];
    });
  const prims = names.flatMap((name) => composer.prim(`/${name}`, opinions(name), 0) ?? []);
  const named = new Map<string, StagePrim>();
  const list = (all: readonly StagePrim[]) => {
    for (const prim of all) {
      named.set(prim.path, prim);
      list(prim.children);
    }
  };
  list(prims);
  const metadata = Object.assign({}, ...layers.toReversed().map(({ layer }) => layer.metadata));
  return { metadata, prims, find: (path) => named.get(path) };
}

/** A layer and those below it, strongest first. */
function layersOf(file: string, layerAt: LayerAt, above: Set<string>): { layer: UsdLayer; file: string }[] {
  if (above.has(file) || above.size > MAX_ARCS) return [];
  const layer = layerAt(file);
  if (!layer) return [];
  const below = assetsOf(layer.metadata.subLayers).flatMap((asset) =>
    layersOf(beside(file, asset), layerAt, new Set([...above, file])),
  );
  return [{ layer, file }, ...below];
}

/** A list of assets, as text or as references. */
function assetsOf(value: UsdValue): string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly (string | UsdReference)[]).map((item) => (typeof item === 'string' ? item : item.asset));
}

class Composer {
  readonly #layerAt: LayerAt;
  readonly #warnings: WarningTally;
  #prims = 0;

  constructor(layerAt: LayerAt, warnings: WarningTally) {
    this.#layerAt = layerAt;
    this.#warnings = warnings;
  }

  /** @returns `undefined` for a prim that is not shown: a class, an opinion of nothing, or one that is switched off */
  prim(path: string, opinions: readonly Opinion[], depth: number): StagePrim | undefined {
    if (++this.#prims > MAX_PRIMS || depth > 4 * MAX_ARCS) {
      throw new InputError(`it is composed of more than ${MAX_PRIMS} prims; export it as one layer`);
    }
    const all = this.#gather(path, opinions);
    if (all.some(({ prim }) => prim.metadata.active === false)) return undefined;
    if (!all.some(({ prim }) => prim.specifier === 'def') || all[0].prim.specifier === 'class') return undefined;
    const properties = new Map<string, UsdProperty>();
    const metadata: Record<string, UsdValue> = {};
    for (const { prim, map, file } of all) {
      for (const [key, value] of Object.entries(prim.metadata))
        if (!Object.hasOwn(metadata, key)) metadata[key] = value;
      for (const [name, property] of prim.properties) {
        const known = properties.get(name);
        properties.set(name, known ? weaker(known, mapped(property, map, file)) : mapped(property, map, file));
      }
    }
    const names = [...new Set(all.flatMap(({ prim }) => prim.children.map(({ name }) => name)))];
    const children = names.flatMap((name) => {
      const own = all.flatMap(({ prim, ...place }) => {
        const child = prim.children.find((one) => one.name === name);
        return child ? [{ ...place, prim: child }] : [];
      });
      return this.prim(`${path}/${name}`, own, depth + 1) ?? [];
    });
    const type = all.find(({ prim }) => prim.type !== '')?.prim.type ?? '';
    return { name: path.slice(path.lastIndexOf('/') + 1), path, type, metadata, properties, children };
  }

  /** All opinions, strongest first. */
  #gather(path: string, opinions: readonly Opinion[]): Opinion[] {
    const found: Opinion[] = [];
    const seen = new Set<UsdPrim>();
    const add = (opinion: Opinion, depth: number) => {
      if (seen.has(opinion.prim)) return;
      if (depth > MAX_ARCS || found.length > MAX_PRIMS)
        throw new InputError(`'${path}' refers to itself; export it as one layer`);
      seen.add(opinion.prim);
      found.push(opinion);
      const { metadata } = opinion.prim;
      const follow = (reference: UsdReference) => {
        for (const one of this.#follow(opinion, reference, path)) add(one, depth + 1);
      };
      for (const other of wordsOf(metadata.inherits)) follow({ asset: '', path: other });
      for (const variant of this.#variants(opinion, found)) add(variant, depth + 1);
      for (const key of ['references', 'payload'] as const) {
        for (const reference of referencesOf(metadata[key])) follow(reference);
      }
      for (const other of wordsOf(metadata.specializes)) follow({ asset: '', path: other });
    };
    for (const opinion of opinions) add(opinion, 0);
    return found;
  }

  /** The variants that the strongest opinion chooses; the first of a set where none does. */
  #variants(opinion: Opinion, stronger: readonly Opinion[]): Opinion[] {
    return [...opinion.prim.variants].flatMap(([set, variants]) => {
      const chosen = stronger
        .map(({ prim: { metadata } }) => (isDictionary(metadata.variants) ? textOf(metadata.variants[set]) : ''))
        .find((name) => name !== '');
      const prim = variants.get(chosen ?? '') ?? [...variants.values()][0];
      return prim ? [{ ...opinion, prim }] : [];
    });
  }

  #follow({ layer, file, map }: Opinion, { asset, path }: UsdReference, at: string): Opinion[] {
    const target = asset === '' ? undefined : beside(file, asset);
    const layers = target === undefined ? [{ layer, file }] : layersOf(target, this.#layerAt, new Set());
    const first = layers[0]?.layer;
    const wanted = path || `/${textOf(first?.metadata.defaultPrim) || (first?.prims[0]?.name ?? '')}`;
    const found = layers.flatMap(({ layer: other, file: otherFile }) => {
      const prim = primAt(other, wanted);
      return prim
        ? [{ prim, layer: other, file: otherFile, map: moved(wanted, at, target === undefined ? map : undefined) }]
        : [];
    });
    if (found.length === 0 && first) this.#warnings.add(`'${at}' refers to '${wanted}', which is not there`);
    return found;
  }
}

/** Paths below a prim as paths below the one that refers to it. */
function moved(from: string, to: string, otherwise: ((path: string) => string) | undefined): (path: string) => string {
  return (path) => {
    if (path === from || path.startsWith(`${from}/`) || path.startsWith(`${from}.`))
      return to + path.slice(from.length);
    return otherwise ? otherwise(path) : path;
  };
}

function primAt({ prims }: UsdLayer, path: string): UsdPrim | undefined {
  let among: readonly UsdPrim[] = prims;
  let found: UsdPrim | undefined;
  for (const name of path.split('/').slice(1)) {
    found = among.find((prim) => prim.name === name);
    if (!found) return undefined;
    among = found.children;
  }
  return found;
}

function referencesOf(value: UsdValue): UsdReference[] {
  if (typeof value === 'string') return [{ asset: '', path: value }];
  if (!Array.isArray(value)) return [];
  const items = value as readonly (string | UsdReference)[];
  return items.map((item) => (typeof item === 'string' ? { asset: '', path: item } : item));
}

/** The stronger property, with what it does not say from the weaker. */
function weaker(strong: UsdProperty, weak: UsdProperty): UsdProperty {
  const says = strong.hasValue || strong.samples !== undefined;
  return {
    hasValue: says ? strong.hasValue : weak.hasValue,
    value: says ? strong.value : weak.value,
    samples: says ? strong.samples : weak.samples,
    targets: strong.targets.length > 0 ? strong.targets : weak.targets,
    metadata: { ...weak.metadata, ...strong.metadata },
  };
}

function mapped(property: UsdProperty, map: (path: string) => string, file: string): UsdProperty {
  const targets = property.targets.map(map);
  return {
    hasValue: property.hasValue,
    value: property.value,
    get samples() {
      return property.samples;
    },
    targets,
    metadata: { ...property.metadata, file },
  };
}

/** A path relative to a file, from the folder that all are in. */
export function beside(file: string, asset: string): string {
  if (asset.startsWith('/')) return asset;
  const parts = file.split('/').slice(0, -1);
  for (const part of asset.split('/')) {
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
