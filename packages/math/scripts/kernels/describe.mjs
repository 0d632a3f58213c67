// @ts-check
/**
 * Descriptions of kernels: the arguments of each with their types and sizes, and the layout of its scratch memory. Both
 * sides of a call are generated from them (`write-assembly.mjs`, `write-calls.mjs`), so that they cannot disagree.
 *
 * A description is an object of
 *
 *   shared   groups of arguments that several kernels begin with
 *   scratch  layouts of scratch memory, by the numbers that they depend on
 *   kernels  each with its arguments, and with its scratch as a call of a layout
 *
 * Types of arguments: `i32` and `f64` are numbers, `bytes` is a distance in memory, `address` a place inside a block;
 * `f64[3 * items]` is a block of at least so many numbers, `u8[n]?` one that may be absent. Sizes may use numbers among the
 * arguments, `items`, the number of items of the call, and `chunks`, the number of chunks of `grain` items.
 *
 * @typedef {Record<string, string>} Types  by name, in order
 * @typedef {{ extends?: string, arguments?: Types, scratch?: string }} Kernel
 * @typedef {{ of: readonly string[], parts: Types }} Layout
 * @typedef {{ shared?: Record<string, Kernel>, scratch?: Record<string, Layout>, kernels: Record<string, Kernel> }} Description
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {'i32' | 'f64' | 'usize'} type
 * @property {keyof typeof ELEMENTS} [elements]  of a block
 * @property {string} [size]      of a block, in elements; empty if it is not known
 * @property {boolean} [optional]
 * @property {number} offset      in bytes
 *
 * @typedef {object} Structure
 * @property {string} name
 * @property {Structure | undefined} parent
 * @property {readonly Field[]} own
 * @property {readonly Field[]} fields  with those of its parent
 */

/** Bytes of the elements of a block, and the views of them. */
export const ELEMENTS = {
  f64: { bytes: 8, view: 'Float64Array' },
  f32: { bytes: 4, view: 'Float32Array' },
  i32: { bytes: 4, view: 'Int32Array' },
  u32: { bytes: 4, view: 'Uint32Array' },
  u16: { bytes: 2, view: 'Uint16Array' },
  u8: { bytes: 1, view: 'Uint8Array' },
};

/** Parts of scratch memory begin at multiples of a SIMD register. */
export const ALIGNMENT = 16;

/**
 * @param {Description} description
 * @returns {{ shared: Structure[], kernels: { name: string, structure: Structure, scratch: string | undefined }[] }}
 */
export function describe(description) {
  /** @type {Map<string, Structure>} */
  const known = new Map();
  for (const [name, kernel] of Object.entries(description.shared ?? {})) {
    known.set(name, structure(name, kernel, known));
  }
  const shared = [...known.values()];
  const kernels = Object.entries(description.kernels).map(([name, kernel]) => {
    return { name, structure: structure(capitalised(name), kernel, known), scratch: kernel.scratch };
  });
  return { shared, kernels };
}

/**
 * The arguments lie in memory as the fields of a C structure.
 *
 * @param {string} name
 * @param {Kernel} kernel
 * @param {ReadonlyMap<string, Structure>} known
 * @returns {Structure}
 */
function structure(name, kernel, known) {
  const parent = kernel.extends === undefined ? undefined : known.get(kernel.extends);
  if (kernel.extends && !parent) throw new Error(`${name}: there are no shared arguments '${kernel.extends}'`);
  const fields = [...(parent?.fields ?? [])];
  const last = fields.at(-1);
  let end = last ? last.offset + bytesOf(last.type) : 0;
  const own = Object.entries(kernel.arguments ?? {}).map(([field, type]) => {
    const parsed = parseField(field, type);
    const bytes = bytesOf(parsed.type);
    const offset = Math.ceil(end / bytes) * bytes;
    end = offset + bytes;
    return { ...parsed, offset };
  });
  fields.push(...own);
  const numbers = new Set([
    'items',
    'chunks',
    ...fields.filter(({ type }) => type === 'i32').map((field) => field.name),
  ]);
  for (const { name: field, size } of own) checkNames(`${name}.${field}`, size ?? '', numbers);
  const names = fields.map((field) => field.name);
  if (new Set(names).size < names.length) throw new Error(`${name}: two arguments have the same name`);
  return { name, parent, own, fields };
}

/**
 * @param {string} name
 * @param {string} type
 * @returns {Omit<Field, 'offset'>}
 */
function parseField(name, type) {
  if (type === 'i32' || type === 'f64') return { name, type };
  if (type === 'bytes' || type === 'address') return { name, type: 'usize' };
  const match = /^(\w+)\[(.*)\](\??)$/.exec(type);
  if (!match || !(match[1] in ELEMENTS)) throw new Error(`${name}: '${type}' is not a type of an argument`);
  const elements = /** @type {keyof typeof ELEMENTS} */ (match[1]);
  return { name, type: 'usize', elements, size: match[2], optional: match[3] === '?' };
}

/**
 * Names in an expression must be known; all others are mistakes of spelling.
 *
 * @param {string} where
 * @param {string} expression
 * @param {ReadonlySet<string>} names
 */
export function checkNames(where, expression, names) {
  for (const [name] of expression.matchAll(/[A-Za-z]\w*/g)) {
    if (!names.has(name)) throw new Error(`${where}: '${name}' in '${expression}' is not known`);
  }
}

/** @param {Field['type']} type */
function bytesOf(type) {
  return type === 'f64' ? 8 : 4;
}

/** @param {string} name */
export function capitalised(name) {
  return name[0].toUpperCase() + name.slice(1);
}

/**
 * The parts of a layout: elements with their count, or another layout with its arguments.
 *
 * @param {Layout} layout
 * @param {Readonly<Record<string, Layout>>} layouts
 * @returns {{ name: string, bytes: number, count: string, inner: string | undefined }[]}
 */
export function partsOf(layout, layouts) {
  return Object.entries(layout.parts).map(([name, type]) => {
    const array = /^(\w+)\[(.+)\]$/.exec(type);
    const call = /^(\w+)\((.*)\)$/.exec(type);
    const expression = (array ?? call)?.[2] ?? '';
    checkNames(name, expression, new Set(layout.of));
    if (array && array[1] in ELEMENTS) {
      const { bytes } = ELEMENTS[/** @type {keyof typeof ELEMENTS} */ (array[1])];
      return { name, bytes, count: expression, inner: undefined };
    }
    if (!call || !(call[1] in layouts)) throw new Error(`${name}: '${type}' is not a part of scratch memory`);
    return { name, bytes: 0, count: expression, inner: call[1] };
  });
}
