// @ts-check
/**
 * Kernels that are called on the caller's thread with their arguments as they are. Their signatures are their descriptions:
 * names and types of the parameters.
 *
 * @typedef {{ name: string, parameters: { name: string, type: string }[], result: string }} DirectKernel
 */

/** The signature of kernels that run in parallel: they are described elsewhere. */
const PARALLEL = /^begin: i32, end: i32, /;

/**
 * @param {string} index  the module that lists what is exported
 * @param {(module: string) => string} read  the text of a module that it names
 * @returns {{ direct: DirectKernel[], parallel: Map<string, string> }} and the type of the arguments of each parallel kernel
 */
export function readKernels(index, read) {
  /** @type {DirectKernel[]} */
  const direct = [];
  /** @type {Map<string, string>} */
  const parallel = new Map();
  for (const [, list, module] of index.matchAll(/export \{([^}]*)\} from '([^']+)';/g)) {
    const text = read(module);
    for (const name of list.split(',').flatMap((item) => item.trim() || [])) {
      const match = new RegExp(`export function ${name}\\(([^)]*)\\): (\\w+) \\{`).exec(text);
      if (!match) throw new Error(`${module}: there is no function ${name}`);
      const parameters = match[1].replace(/\s+/g, ' ').trim().replace(/,$/, '');
      if (PARALLEL.test(parameters)) {
        parallel.set(name, /^begin: i32, end: i32, \w+: (\w+), scratch: usize$/.exec(parameters)?.[1] ?? '');
        continue;
      }
      const pairs = parameters.split(', ').map((parameter) => parameter.split(': '));
      direct.push({ name, parameters: pairs.map(([key, type]) => ({ name: key, type })), result: match[2] });
    }
  }
  return { direct, parallel };
}
