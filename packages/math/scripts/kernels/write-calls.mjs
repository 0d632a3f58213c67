// @ts-check
/** The callers' side: an interface per structure of arguments, and a function per kernel that runs it by name. */
import { ALIGNMENT, capitalised, describe, ELEMENTS, partsOf } from './describe.mjs';

/**
 * @param {readonly import('./describe.mjs').Description[]} descriptions  of one package
 * @param {readonly import('./direct-kernels.mjs').DirectKernel[]} direct
 * @param {Readonly<Record<string, import('./describe.mjs').Layout>>} layouts  of all packages
 * @param {{ imports: readonly string[], source: string }} module
 * @returns {string}
 */
export function writeCalls(descriptions, direct, layouts, { imports, source }) {
  const described = descriptions.map(describe);
  const shared = described.flatMap((each) => each.shared);
  const kernels = described.flatMap((each) => each.kernels);
  const used = usedLayouts(
    kernels.flatMap(({ scratch }) => scratch?.split('(')[0] ?? []),
    layouts,
  );
  return [
    `// Made from ${source}; not edited, not committed.`,
    ...imports,
    '',
    ...[...shared, ...kernels.map(({ structure }) => structure)].map(interfaceText),
    ...direct.map(directInterface),
    ...used.map((name) => bytesText(name, layouts[name], layouts)),
    ...kernels.map(({ name, structure, scratch }) => callText(name, structure, scratch)),
    ...direct.map(directCall),
    '',
  ].join('\n');
}

/** @param {import('./describe.mjs').Structure} structure */
function interfaceText({ name, parent, own }) {
  const fields = own.map(({ name: field, elements, optional }) => {
    const type = elements ? `Block<${ELEMENTS[elements].view}>` : 'number';
    return `  ${field}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
  });
  return [`export interface ${name}${parent ? ` extends ${parent.name}` : ''} {`, ...fields, '}', ''].join('\n');
}

/**
 * @param {string} name
 * @param {import('./describe.mjs').Structure} structure
 * @param {string | undefined} scratch
 */
function callText(name, { name: type, fields }, scratch) {
  const has = (/** @type {string} */ kind) => fields.some((field) => (field.type === 'f64') === (kind === 'f64'));
  const writes = fields.map(({ name: field, type: kind, elements, optional, offset }) => {
    const value = elements ? (optional ? `f.${field}?.pointer ?? 0` : `f.${field}.pointer`) : `f.${field}`;
    return kind === 'f64' ? `  numbers[${offset / 8}] = ${value};` : `  words[${offset / 4}] = ${value};`;
  });
  const layout = /^(\w+)\((.*)\)$/.exec(scratch ?? '');
  const bytes = layout ? `${lowered(layout[1])}Bytes(${withFields(layout[2])})` : '0';
  return [
    `export function ${name}(numerics: Numerics, items: number, grain: number, f: ${type}): void {`,
    `  numerics.checkCall?.('${name}', items, f);`,
    ...(has('i32') ? ['  const { words } = numerics;'] : []),
    ...(has('f64') ? ['  const { numbers } = numerics;'] : []),
    ...writes,
    `  numerics.launch('${name}', items, grain, ${bytes});`,
    '}',
    '',
  ].join('\n');
}

/** @param {string} expression of names of arguments */
function withFields(expression) {
  return expression.replace(/[A-Za-z]\w*/g, (name) => (name === 'items' ? name : `f.${name}`));
}

/**
 * @param {string} name
 * @param {import('./describe.mjs').Layout} layout
 * @param {Readonly<Record<string, import('./describe.mjs').Layout>>} layouts
 */
function bytesText(name, layout, layouts) {
  const parts = partsOf(layout, layouts).map(({ bytes, count, inner }) =>
    inner ? `${lowered(inner)}Bytes(${count})` : `${ALIGNMENT} * Math.ceil(((${count}) * ${bytes}) / ${ALIGNMENT})`,
  );
  const parameters = layout.of.map((parameter) => `${parameter}: number`).join(', ');
  return [`function ${lowered(name)}Bytes(${parameters}): number {`, `  return ${parts.join(' + ')};`, '}', ''].join(
    '\n',
  );
}

/**
 * The layouts that these need, inner ones too.
 *
 * @param {readonly string[]} names
 * @param {Readonly<Record<string, import('./describe.mjs').Layout>>} layouts
 * @returns {string[]}
 */
function usedLayouts(names, layouts) {
  /** @type {Set<string>} */
  const used = new Set();
  const add = (/** @type {string} */ name) => {
    if (used.has(name)) return;
    if (!layouts[name]) throw new Error(`there is no layout '${name}' of scratch memory`);
    used.add(name);
    for (const { inner } of partsOf(layouts[name], layouts)) if (inner) add(inner);
  };
  names.forEach(add);
  return [...used].sort();
}

/** @param {import('./direct-kernels.mjs').DirectKernel} kernel */
function directInterface({ name, parameters }) {
  const fields = parameters.map((parameter) => `  ${parameter.name}: number;`);
  return [`export interface ${capitalised(name)} {`, ...fields, '}', ''].join('\n');
}

/** @param {import('./direct-kernels.mjs').DirectKernel} kernel */
function directCall({ name, parameters, result }) {
  const args = parameters.map((parameter) => `f.${parameter.name}`).join(', ');
  const type = result === 'void' ? 'void' : 'number';
  return [
    `export function ${name}(numerics: Numerics): (f: ${capitalised(name)}) => ${type} {`,
    `  const entry = numerics.entry('${name}');`,
    result === 'void' ? `  return (f) => void entry(${args});` : `  return (f) => entry(${args});`,
    '}',
    '',
  ].join('\n');
}

/** @param {string} name */
function lowered(name) {
  return name[0].toLowerCase() + name.slice(1);
}
