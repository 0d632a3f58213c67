/**
 * The header of a PLY file: its encoding, and for each element its count and the types of its properties, in order.
 *
 * Reference: Turk. The PLY polygon file format. 1994.
 */
import { InputError, UnsupportedError } from '@pelt/model';

export type PlyEncoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

export type PlyType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export interface PlyProperty {
  readonly name: string;
  /** Type of the value, or of a list's items. */
  readonly type: PlyType;
  /** Type of a list's length; absent for a single value. */
  readonly countType: PlyType | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: PlyEncoding;
  readonly elements: readonly PlyElement[];
  /** Where the first element's data begin. */
  readonly end: number;
}

const TYPE_NAMES: Readonly<Record<string, PlyType>> = {
  char: 'int8',
  int8: 'int8',
  uchar: 'uint8',
  uint8: 'uint8',
  short: 'int16',
  int16: 'int16',
  ushort: 'uint16',
  uint16: 'uint16',
  int: 'int32',
  int32: 'int32',
  uint: 'uint32',
  uint32: 'uint32',
  float: 'float32',
  float32: 'float32',
  double: 'float64',
  float64: 'float64',
};

export const PLY_TYPE_SIZES: Readonly<Record<PlyType, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

const ENCODINGS: readonly string[] = ['ascii', 'binary_little_endian', 'binary_big_endian'];

/** As much of a line as a keyword, its counts and names can take; a comment may be of any length. */
const LINE_BYTES = 4096;

const NEWLINE = 10;
const RETURN = 13;
const decoder = new TextDecoder();

/** @param label  begins every message: `PLY 'scan.ply'` */
export function readPlyHeader(bytes: Uint8Array, label: string): PlyHeader {
  // Lines end as the first one does: in binary data a stray line feed behind a lone `end_header\r` belongs to the data.
  const lineEnd = bytes[3] === RETURN && bytes[4] !== NEWLINE ? RETURN : NEWLINE;
  let encoding: PlyEncoding | undefined;
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = [];
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(lineEnd, start);
    if (line === 1 && decoder.decode(bytes.subarray(0, end < 0 ? 4 : end)).trim() !== 'ply') {
      throw new InputError(`${label}: the file does not begin with a line 'ply'; it is empty or of another format`);
    }
    if (end < 0)
      throw new InputError(`${label}: the header has no 'end_header'; the file is cut short, export it again`);
    const where = `${label}, line ${line}`;
    const [keyword, ...words] = decoder
      .decode(bytes.subarray(start, Math.min(end, start + LINE_BYTES)))
      .trim()
      .split(/\s+/);
    start = end + 1;
    switch (keyword) {
      case 'end_header':
        if (!encoding) throw new InputError(`${label}: the header has no 'format' line; export the file again`);
        return { encoding, elements, end: start };
      case 'format':
        if (!ENCODINGS.includes(words[0])) {
          throw new UnsupportedError(`${where}: the encoding '${words[0]}' is not one of ${ENCODINGS.join(', ')}`);
        }
        encoding = words[0] as PlyEncoding;
        break;
      case 'element':
        elements.push({ name: words[0] ?? '', count: parseCount(words[1], where), properties: [] });
        break;
      case 'property': {
        const element = elements.at(-1);
        if (!element)
          throw new InputError(`${where}: a property comes before the first element; export the file again`);
        element.properties.push(parseProperty(words, where));
        break;
      }
    }
  }
}

function parseCount(word: string | undefined, where: string): number {
  if (word === undefined || !/^\d{1,15}$/.test(word)) {
    throw new InputError(`${where}: '${word ?? ''}' is not a count of elements; export the file again`);
  }
  return Number(word);
}

function parseProperty(words: readonly string[], where: string): PlyProperty {
  const isList = words[0] === 'list';
  const [type, name] = isList ? words.slice(2) : words;
  return {
    name: name ?? '',
    type: parseType(type, where),
    countType: isList ? parseType(words[1], where) : undefined,
  };
}

function parseType(word: string | undefined, where: string): PlyType {
  if (word === undefined || !Object.hasOwn(TYPE_NAMES, word)) {
    throw new InputError(`${where}: '${word ?? ''}' is not a type of PLY (uchar, int, float, …); repair the header`);
  }
  return TYPE_NAMES[word];
}
