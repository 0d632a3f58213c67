// @ts-check
/** The kernels' side of a call: a class per structure of arguments, and the places of the parts of scratch memory. */
import { ALIGNMENT, describe, partsOf } from './describe.mjs';

/**
 * @param {import('./describe.mjs').Description} description
 * @param {Readonly<Record<string, import('./describe.mjs').Layout>>} layouts  of all descriptions
 * @param {ReadonlyMap<string, string>} homes  the module that each layout of another description is in
 * @param {string} source  where the description is
 * @returns {string}
 */
export function writeAssembly(description, layouts, homes, source) {
  const { shared, kernels } = describe(description);
  const own = Object.entries(description.scratch ?? {});
  const inner = new Set(own.flatMap(([, layout]) => partsOf(layout, layouts).flatMap((part) => part.inner ?? [])));
  const imports = [...inner].filter((name) => !(name in (description.scratch ?? {})));
  return [
    `// Made from ${source}; not edited, not committed.`,
    ...imports.map((name) => `import { ${name}Scratch } from '${homes.get(name)}';`),
    ...[...shared, ...kernels.map(({ structure }) => structure)].map(structureText),
    ...own.map(([name, layout]) => layoutText(name, layout, layouts)),
    '',
  ].join('\n');
}

/** @param {import('./describe.mjs').Structure} structure */
function structureText({ name, parent, own }) {
  const fields = own.map((field) => `  ${field.name}!: ${field.type};`);
  return [`@unmanaged`, `export class ${name}${parent ? ` extends ${parent.name}` : ''} {`, ...fields, '}'].join('\n');
}

/**
 * @param {string} name
 * @param {import('./describe.mjs').Layout} layout
 * @param {Readonly<Record<string, import('./describe.mjs').Layout>>} layouts
 */
function layoutText(name, layout, layouts) {
  const parameters = layout.of.map((parameter) => `${parameter}: i32`);
  const lines = [`export class ${name}Scratch {`];
  let offset = '0';
  for (const { name: part, bytes, count, inner } of partsOf(layout, layouts)) {
    lines.push(`  // @ts-ignore: decorator`, `  @inline`);
    lines.push(
      `  static ${part}(${['scratch: usize', ...parameters].join(', ')}): usize { return scratch + ${offset}; }`,
    );
    const size = inner
      ? `${inner}Scratch.bytes(${count})`
      : `((<usize>(${count}) * ${bytes} + ${ALIGNMENT - 1}) & ~${ALIGNMENT - 1})`;
    offset = offset === '0' ? size : `${offset} + ${size}`;
  }
  lines.push(`  // @ts-ignore: decorator`, `  @inline`);
  lines.push(`  static bytes(${parameters.join(', ')}): usize { return ${offset}; }`, '}');
  return lines.join('\n');
}
