/** A USD file of any form, text, crate or package, as one stage of composed prims. */
import { InputError } from '@pelt/model';
import { type ByteSource, sourceOfBytes } from '../../byte-source.ts';
import { relativePath } from '../../relative-path.ts';
import type { WarningTally } from '../../warning-tally.ts';
import { composeStage, type UsdStage } from './compose.ts';
import { isCrate } from './crate-file.ts';
import { isUsda, readUsda } from './read-usda.ts';
import { readUsdc } from './read-usdc.ts';
import type { UsdLayer } from './usd-layer.ts';
import { zipEntries } from './zip-entries.ts';

/** Bytes of a file beside the USD file, by its path relative to it. */
export type ResolveUsd = (path: string) => Uint8Array | undefined;

export interface OpenedUsd {
  readonly stage: UsdStage;
  /** Bytes of a picture that a material names. */
  readonly picture: ResolveUsd;
}

const LAYER = /\.usd[acz]?$/i;
/** Most files that a stage is composed of. */
const MAX_LAYERS = 256;

export function openUsd(source: ByteSource, resolve: ResolveUsd | undefined, warnings: WarningTally): OpenedUsd {
  const files = isZip(source) ? packageFiles(source) : looseFiles(source, resolve);
  const layers = new Map<string, UsdLayer | undefined>();
  const layerAt = (path: string): UsdLayer | undefined => {
    if (layers.has(path)) return layers.get(path);
    const found = files.open(path);
    if (!found) warnings.add(`the layer '${path}' is not there and left out`);
    if (layers.size >= MAX_LAYERS) throw new InputError(`it refers to more than ${MAX_LAYERS} files`);
    const layer = found && readLayer(found);
    layers.set(path, layer);
    return layer;
  };
  return { stage: composeStage(files.root, layerAt, warnings), picture: (path) => bytesOf(files.open(path)) };
}

interface UsdFiles {
  /** Path of the first layer. */
  readonly root: string;
  open(path: string): ByteSource | undefined;
}

function packageFiles(source: ByteSource): UsdFiles {
  const entries = zipEntries(source);
  const first = entries.find(({ name }) => LAYER.test(name));
  if (!first) throw new InputError('it holds no layer of USD; export it again');
  const named = new Map(entries.map((entry) => [entry.name, entry.source]));
  return { root: first.name, open: (path) => named.get(path) };
}

function looseFiles(source: ByteSource, resolve: ResolveUsd | undefined): UsdFiles {
  const open = (path: string) => {
    if (path === '') return source;
    const relative = relativePath(path);
    const bytes = relative === undefined ? undefined : resolve?.(relative);
    return bytes && sourceOfBytes(bytes);
  };
  return { root: '', open };
}

function readLayer(source: ByteSource): UsdLayer {
  const head = new Uint8Array(source.read(0, Math.min(8, source.size)));
  if (isCrate(head)) return readUsdc(source);
  if (isUsda(head)) return readUsda(bytesOf(source) as Uint8Array);
  throw new InputError('it is neither text nor a crate of USD; export it again');
}

function bytesOf(source: ByteSource | undefined): Uint8Array | undefined {
  return source && new Uint8Array(source.read(0, source.size));
}

function isZip(source: ByteSource): boolean {
  if (source.size < 4) return false;
  const [p, k] = source.read(0, 4);
  return p === 0x50 && k === 0x4b;
}
