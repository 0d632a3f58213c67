// @ts-check
/**
 * Sources of kernels in which every access to memory is checked: the address goes through `checkAccess` of
 * assembly/check-access.ts, which traps where the bytes do not belong to a block.
 */

/** Accesses by name, with the bytes that they touch and the index of the argument after which a constant offset stands. */
const ACCESSES = [
  { call: /\b(load|store)<(\w+)>\($/, bytes: (/** @type {RegExpExecArray} */ match) => `sizeof<${match[2]}>()` },
  { call: /\bv128\.(load|store)\($/, bytes: () => '16' },
  { call: /\bv128\.(load64_splat|load64_zero|load64_lane|store64_lane|load8x8_s)\($/, bytes: () => '8' },
  { call: /\bv128\.(load32_splat|load32_zero|load32_lane|store32_lane)\($/, bytes: () => '4' },
];

/** Index of the constant offset among the arguments. */
const OFFSET_AT = (/** @type {string} */ name) => (/lane/.test(name) ? 3 : /^store/.test(name) ? 2 : 1);

const CALL = /\b(?:(?:load|store)<\w+>|v128\.(?:load|store)\w*|memory\.(?:copy|fill))\(/g;

/**
 * @param {string} text
 * @param {string} file
 * @param {string} checker  the path of check-access as an import
 * @returns {string}
 */
export function checkedSource(text, file, checker) {
  if (/check-access\.ts$/.test(file)) return text;
  const checked = checkCalls(text);
  // On the first line, so that lines keep their numbers.
  return checked === text ? text : `import { checkAccess } from '${checker}'; ${checked}`;
}

/**
 * @param {string} text
 * @returns {string}
 */
function checkCalls(text) {
  let out = '';
  let from = 0;
  CALL.lastIndex = 0;
  for (let match = CALL.exec(text); match; match = CALL.exec(text)) {
    const begin = match.index + match[0].length;
    if (isInComment(text, match.index)) continue;
    const { args, end } = argumentsAt(text, begin);
    out += text.slice(from, begin) + checkedArguments(match[0], args).join(', ');
    from = end;
    CALL.lastIndex = end;
  }
  return out + text.slice(from);
}

/**
 * @param {string} call  up to its parenthesis
 * @param {readonly string[]} args
 */
function checkedArguments(call, args) {
  const inner = args.map((arg) => {
    // A call inside an argument; the state of the outer search is kept.
    const last = CALL.lastIndex;
    const text = checkCalls(arg);
    CALL.lastIndex = last;
    return text.trim();
  });
  if (call.startsWith('memory.copy')) {
    return [`checkAccess(${inner[0]}, ${inner[2]}, 0)`, `checkAccess(${inner[1]}, ${inner[2]}, 0)`, inner[2]];
  }
  if (call.startsWith('memory.fill')) return [`checkAccess(${inner[0]}, ${inner[2]}, 0)`, inner[1], inner[2]];
  for (const access of ACCESSES) {
    const match = access.call.exec(call);
    if (!match) continue;
    const offset = inner[OFFSET_AT(match[1])] ?? '0';
    return [`checkAccess(${inner[0]}, ${access.bytes(match)}, ${offset})`, ...inner.slice(1)];
  }
  throw new Error(`checked build: '${call}' is not a known access to memory`);
}

/**
 * @param {string} text
 * @param {number} begin  behind the opening parenthesis
 */
function argumentsAt(text, begin) {
  const args = [];
  let depth = 0;
  let first = begin;
  for (let k = begin; ; k++) {
    const c = text[k];
    if (c === undefined) throw new Error('checked build: a parenthesis is not closed');
    if ('([{'.includes(c)) depth++;
    else if (depth > 0 && ')]}'.includes(c)) depth--;
    else if (depth === 0 && (c === ',' || c === ')')) {
      args.push(text.slice(first, k));
      if (c === ')') return { args, end: k };
      first = k + 1;
    }
  }
}

/**
 * @param {string} text
 * @param {number} at
 */
function isInComment(text, at) {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return /^\s*\*|\/\//.test(line) || /^\s*\/\*/.test(line);
}
