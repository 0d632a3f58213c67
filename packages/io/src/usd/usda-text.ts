/** Text of USD: prims, properties and values. */

/** A prim: its head, the lines of its body, and prims inside. */
export interface Prim {
  /** `def Mesh "body"` */
  readonly head: string;
  /** Lines in brackets behind the head. */
  readonly metadata?: readonly string[];
  readonly body: readonly string[];
  readonly children?: readonly Prim[];
}

const INDENT = '    ';

export function primLines({ head, metadata = [], body, children = [] }: Prim, depth = 0): string[] {
  const tab = INDENT.repeat(depth);
  const inner = tab + INDENT;
  return [
    metadata.length > 0 ? `${tab}${head} (` : `${tab}${head}`,
    ...(metadata.length > 0 ? [...metadata.map((line) => inner + line), `${tab})`] : []),
    `${tab}{`,
    ...body.map((line) => inner + line),
    ...children.flatMap((child) => primLines(child, depth + 1)),
    `${tab}}`,
  ];
}

/** As few digits as give the 32-bit number back. */
export function float(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return '0';
  return String(Number(single.toPrecision(9)) === single ? shortest(single) : single);
}

function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

export function double(value: number): string {
  return Number.isFinite(value) ? String(value) : '0';
}

export function tuple(values: ArrayLike<number>, at: number, size: number): string {
  let text = '(';
  for (let k = 0; k < size; k++) text += (k > 0 ? ', ' : '') + float(values[at + k]);
  return `${text})`;
}

/** @param values  count × size */
export function tuples(values: ArrayLike<number>, size: number): string {
  const items: string[] = [];
  for (let k = 0; k < values.length; k += size) items.push(tuple(values, k, size));
  return `[${items.join(', ')}]`;
}

export function floats(values: ArrayLike<number>): string {
  return `[${Array.from(values, float).join(', ')}]`;
}

export function ints(values: ArrayLike<number>): string {
  return `[${Array.from(values).join(', ')}]`;
}

export function tokens(values: readonly string[]): string {
  return `[${values.map(quoted).join(', ')}]`;
}

export function quoted(text: string): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${plain.replace(/\p{Cc}/gu, ' ')}"`;
}

/** A 3 × 4 transform as a matrix of rows, which USD multiplies from the left. */
export function matrix(a: ArrayLike<number>): string {
  const rows = [0, 1, 2].map((c) => `(${[0, 1, 2].map((r) => double(a[4 * r + c])).join(', ')}, 0)`);
  return `( ${rows.join(', ')}, (${[3, 7, 11].map((k) => double(a[k])).join(', ')}, 1) )`;
}

/** Names that USD takes: letters, digits and underscores, none twice among those that share `taken`. */
export function identifier(name: string, taken: Set<string>, fallback: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_') || fallback;
  let found = plain;
  for (let k = 2; taken.has(found); k++) found = `${plain}_${k}`;
  taken.add(found);
  return found;
}

/** The name as it was, where an identifier had to change it. */
export function displayName(name: string, id: string): string[] {
  return name !== '' && name !== id ? [`displayName = ${quoted(name)}`] : [];
}
