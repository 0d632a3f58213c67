/** A layer of USD as a crate: its prims at once, their values when they are asked for. */
import { InputError } from '@pelt/model';
import type { ByteSource } from '../../byte-source.ts';
import { CrateFile } from './crate-file.ts';
import { CrateValues, type ValueRep, valueRep } from './crate-values.ts';
import { type UsdLayer, type UsdPrim, type UsdProperty, type UsdValue, wordsOf } from './usd-layer.ts';

const [ATTRIBUTE, PRIM, ROOT, RELATIONSHIP, VARIANT] = [1, 6, 7, 8, 10];
const SPECIFIERS = ['def', 'over', 'class'] as const;
/** What is asked of layers, prims and properties beside their values; nothing else is read. */
const METADATA = new Set([
  ...['defaultPrim', 'metersPerUnit', 'upAxis', 'timeCodesPerSecond', 'subLayers'],
  ...['specifier', 'typeName', 'active', 'displayName', 'references', 'payload', 'specializes'],
  ...['variantSelection', 'inheritPaths', 'interpolation', 'elementSize', 'weight'],
]);
/** No prim or property says more. */
const MAX_FIELDS = 4096;
const END_OF_SET = -1;
/** The type of a value that says there is none. */
const BLOCK = 51;
/** Readers go down the tree by calls. */
const MAX_DEPTH = 512;

interface OpenPrim extends UsdPrim {
  readonly properties: Map<string, UsdProperty>;
  readonly children: UsdPrim[];
  readonly variants: Map<string, Map<string, UsdPrim>>;
}

export function readUsdc(source: ByteSource): UsdLayer {
  const file = new CrateFile(source);
  const values = new CrateValues(file);
  const fields = (set: number) => fieldsOf(file, set);
  const specs = new Map(file.specs.map((spec) => [spec.path, spec]));
  const prims = new Map<number, OpenPrim>();
  let metadata: Record<string, UsdValue> = {};
  for (const { path, fieldSet, type } of file.specs) {
    if (type === ROOT) metadata = readMetadata(values, fields(fieldSet));
    if (type === PRIM || type === VARIANT) prims.set(path, openPrim(file, values, path, fields(fieldSet), type));
  }
  const tops: OpenPrim[] = [];
  for (const [path, prim] of prims) {
    const above = prims.get(file.paths[path]?.parent ?? -1);
    if (prim.name.startsWith('{')) addVariant(above, prim);
    else if (above) above.children.push(prim);
    else tops.push(prim);
  }
  for (const { path, fieldSet, type } of file.specs) {
    if (type !== ATTRIBUTE && type !== RELATIONSHIP) continue;
    const owner = prims.get(file.paths[path]?.parent ?? -1);
    owner?.properties.set(file.paths[path].name, openProperty(values, fields(fieldSet)));
  }
  const childOrder = (path: number | undefined) =>
    path === undefined ? [] : wordsOf(metadataOf(values, fields(specs.get(path)?.fieldSet ?? -1), 'primChildren'));
  for (const [path, prim] of prims) sortByNames(prim.children, childOrder(path));
  const root = file.specs.find(({ type }) => type === ROOT);
  sortByNames(tops, childOrder(root?.path));
  requireDepth(tops);
  return { metadata, prims: tops };
}

function openPrim(
  file: CrateFile,
  values: CrateValues,
  path: number,
  fields: readonly Field[],
  type: number,
): OpenPrim {
  const metadata = readMetadata(values, fields);
  const specifier = SPECIFIERS[Number(metadata.specifier ?? 1)] ?? 'over';
  return {
    name: file.paths[path]?.name ?? '',
    specifier: type === VARIANT ? 'over' : specifier,
    type: typeof metadata.typeName === 'string' ? metadata.typeName : '',
    metadata: renamed(metadata),
    properties: new Map(),
    children: [],
    variants: new Map(),
  };
}

/** Crates call some of a prim's data otherwise than text does. */
function renamed(metadata: Record<string, UsdValue>): Record<string, UsdValue> {
  const { variantSelection, inheritPaths, ...others } = metadata;
  return {
    ...others,
    ...(variantSelection !== undefined && { variants: variantSelection }),
    ...(inheritPaths !== undefined && { inherits: inheritPaths }),
  };
}

/** `{shade=red}`, below the prim, or below another variant. */
function addVariant(above: OpenPrim | undefined, prim: OpenPrim): void {
  const match = /^\{([^=]*)=([^}]*)\}$/.exec(prim.name);
  if (!above || !match) return;
  const set = above.variants.get(match[1]) ?? new Map<string, UsdPrim>();
  above.variants.set(match[1], set);
  set.set(match[2], { ...prim, name: match[2] });
}

function openProperty(values: CrateValues, fields: readonly Field[]): UsdProperty {
  const rep = (name: string) => fields.find((field) => field.name === name)?.rep;
  const [value, samples, targets] = [rep('default'), rep('timeSamples'), rep('targetPaths') ?? rep('connectionPaths')];
  return {
    hasValue: value !== undefined && value.type !== BLOCK,
    value: () => value && values.read(value),
    get samples() {
      return samples && values.samples(samples);
    },
    targets: targets ? wordsOf(values.read(targets)) : [],
    metadata: readMetadata(values, fields),
  };
}

interface Field {
  readonly name: string;
  readonly rep: ValueRep;
}

function fieldsOf(file: CrateFile, set: number): Field[] {
  const found: Field[] = [];
  for (let k = set; k >= 0 && k < file.fieldSets.length && file.fieldSets[k] !== END_OF_SET; k++) {
    const field = file.fieldSets[k];
    if (found.length > MAX_FIELDS || !(field >= 0 && field < file.fieldNames.length)) {
      throw new InputError("its section 'FIELDSETS' is damaged; export the file again");
    }
    found.push({ name: file.token(file.fieldNames[field]), rep: valueRep(file.fieldReps, 8 * field) });
  }
  return found;
}

function readMetadata(values: CrateValues, fields: readonly Field[]): Record<string, UsdValue> {
  const found: Record<string, UsdValue> = {};
  for (const { name, rep } of fields) {
    if (!METADATA.has(name)) continue;
    Object.defineProperty(found, name, { value: values.read(rep), enumerable: true, configurable: true });
  }
  return found;
}

function metadataOf(values: CrateValues, fields: readonly Field[], name: string): UsdValue {
  const field = fields.find((one) => one.name === name);
  return field && values.read(field.rep);
}

function sortByNames(prims: UsdPrim[], names: readonly string[]): void {
  if (names.length === 0) return;
  const places = new Map(names.map((name, k) => [name, k]));
  const place = ({ name }: UsdPrim) => places.get(name) ?? names.length;
  prims.sort((a, b) => place(a) - place(b));
}

function requireDepth(prims: readonly UsdPrim[]): void {
  let level: readonly UsdPrim[] = prims;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new InputError('its prims are nested too deep; the file is damaged, export it again');
    level = level.flatMap(({ children }) => children);
  }
}
