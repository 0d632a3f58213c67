/**
 * A layer of USD, whether it is text or a crate: prims with their properties, each with a default value and samples over
 * time, which a crate reads from the file when they are asked for.
 */
export type UsdNumbers = Float32Array | Float64Array | Int32Array;

export interface UsdDictionary {
  readonly [key: string]: UsdValue;
}

/** A reference or payload: a prim of another layer, or of this one where `asset` is empty. */
export interface UsdReference {
  readonly asset: string;
  /** Empty for the default prim. */
  readonly path: string;
}

/** Tuples, matrices and arrays of them are flat; tokens, strings, paths and assets are text. */
export type UsdValue =
  | undefined
  | number
  | boolean
  | string
  | UsdNumbers
  | readonly string[]
  | readonly UsdReference[]
  | UsdDictionary;

export interface UsdSamples {
  /** Time codes, strictly increasing. */
  readonly times: Float64Array;
  at(k: number): UsdValue;
}

export interface UsdProperty {
  /** Whether it has a value beside samples, which is read when it is asked for. */
  readonly hasValue: boolean;
  readonly value: () => UsdValue;
  readonly samples: UsdSamples | undefined;
  /** Paths that a relationship or a connection leads to. */
  readonly targets: readonly string[];
  readonly metadata: Readonly<Record<string, UsdValue>>;
}

export interface UsdPrim {
  readonly name: string;
  readonly specifier: 'def' | 'over' | 'class';
  /** Empty where nothing says it. */
  readonly type: string;
  readonly metadata: Readonly<Record<string, UsdValue>>;
  readonly properties: ReadonlyMap<string, UsdProperty>;
  readonly children: readonly UsdPrim[];
  /** Variants of each set, by their names. */
  readonly variants: ReadonlyMap<string, ReadonlyMap<string, UsdPrim>>;
}

export interface UsdLayer {
  readonly metadata: Readonly<Record<string, UsdValue>>;
  readonly prims: readonly UsdPrim[];
}

export function isNumbers(value: UsdValue): value is UsdNumbers {
  return value instanceof Float32Array || value instanceof Float64Array || value instanceof Int32Array;
}

export function isDictionary(value: UsdValue): value is UsdDictionary {
  return typeof value === 'object' && !Array.isArray(value) && !isNumbers(value);
}

/** Words, whether there is one or a list; empty for any other value. */
export function wordsOf(value: UsdValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).filter((item): item is string => typeof item === 'string');
}

export function numberOf(value: UsdValue, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

export function textOf(value: UsdValue): string {
  return typeof value === 'string' ? value : '';
}
