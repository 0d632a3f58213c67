/**
 * A mesh as PLY, in any of the three encodings: positions, normals, UVs and colours of the vertices in their order, then
 * the triangles. UVs that differ between the corners of a vertex go beside the triangles, as a list for each.
 */
import { type Mesh, resolveOptions, triangleCount, vertexCount } from '@pelt/model';
import { fileLabel } from '../read-options.ts';
import { linearToSrgb } from '../srgb.ts';
import { TextWriter } from '../text-writer.ts';
import { vertexAttribute } from '../vertex-attribute.ts';
import { WarningTally } from '../warning-tally.ts';
import { PLY_TYPE_SIZES, type PlyEncoding, type PlyType } from './ply-header.ts';

export interface WritePlyOptions {
  /** The file's name, for messages. */
  readonly name: string;
  readonly encoding: PlyEncoding;
  /** Colours as bytes, which every program reads, or as floats, which lose nothing. */
  readonly colors: 'uchar' | 'float';
  readonly onWarning: ((message: string) => void) | undefined;
}

export const WRITE_PLY_DEFAULTS: WritePlyOptions = {
  name: '',
  encoding: 'binary_little_endian',
  colors: 'uchar',
  onWarning: undefined,
};

const BLANK = 32;
const LINE_END = 10;

/** One property of the vertices: where its values are. */
interface Column {
  readonly name: string;
  readonly type: PlyType;
  readonly value: (vertex: number) => number;
}

const TYPE_WORDS: Partial<Record<PlyType, string>> = { uint8: 'uchar', float32: 'float' };

/**
 * Writes a mesh as a PLY file.
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function writePly(mesh: Mesh, options?: Partial<WritePlyOptions>): Uint8Array<ArrayBuffer> {
  const { name, encoding, colors, onWarning } = resolveOptions('writePly', WRITE_PLY_DEFAULTS, options);
  const warnings = new WarningTally(fileLabel('PLY', name), onWarning);
  if (mesh.uvs2) warnings.add('the second set of UVs has no place in the format and is left out');
  if (mesh.materials) warnings.add('materials have no place in the format and are left out');
  const { columns, seams } = vertexColumns(mesh, colors, warnings);
  warnings.flush();

  const header = new TextWriter().text(`ply\nformat ${encoding} 1.0\nelement vertex ${vertexCount(mesh)}\n`);
  for (const column of columns) header.text(`property ${TYPE_WORDS[column.type]} ${column.name}\n`);
  header.text(`element face ${triangleCount(mesh)}\nproperty list uchar int vertex_indices\n`);
  if (seams) header.text('property list uchar float texcoord\n');
  header.text('end_header\n');
  return encoding === 'ascii'
    ? writeText(header, mesh, columns, seams)
    : writeBinary(header.toBytes(), mesh, columns, seams, encoding === 'binary_little_endian');
}

function vertexColumns(mesh: Mesh, colorType: 'uchar' | 'float', warnings: WarningTally) {
  const columns: Column[] = [];
  const add = (names: readonly string[], values: Float32Array, encode = (value: number, _d: number) => value) => {
    const size = names.length;
    names.forEach((name, d) => {
      columns.push({ name, type: 'float32', value: (i) => encode(values[i * size + d], d) });
    });
  };
  add(['x', 'y', 'z'], mesh.positions);
  if (mesh.normals) {
    const { values, split } = vertexAttribute(mesh.normals, mesh);
    if (split > 0)
      warnings.add(`${split} vertices on hard edges have several normals; the format keeps one, their mean`);
    add(['nx', 'ny', 'nz'], split > 0 ? unit(values) : values);
  }
  let seams = false;
  if (mesh.uvs) {
    const { values, split } = vertexAttribute(mesh.uvs, mesh);
    seams = split > 0;
    if (!seams) add(['s', 't'], values, (value, d) => (d === 1 ? 1 - value : value));
  }
  if (mesh.colors) {
    const { values, split } = vertexAttribute(mesh.colors, mesh);
    if (split > 0) warnings.add(`${split} vertices have several colours; the format keeps one, their mean`);
    const encode = (value: number, d: number) => (d < 3 ? linearToSrgb(value) : value);
    const from = columns.length;
    add(['red', 'green', 'blue', 'alpha'].slice(0, mesh.colors.size), values, encode);
    if (colorType === 'uchar') {
      for (let k = from; k < columns.length; k++) {
        const { name, value } = columns[k];
        columns[k] = { name, type: 'uint8', value: (i) => Math.round(Math.min(Math.max(value(i), 0), 1) * 255) };
      }
    }
  }
  return { columns, seams };
}

function unit(normals: Float32Array): Float32Array {
  const out = normals.slice();
  for (let k = 0; k < out.length; k += 3) {
    const length = Math.hypot(out[k], out[k + 1], out[k + 2]);
    for (let d = 0; length > 0 && d < 3; d++) out[k + d] /= length;
  }
  return out;
}

/** UVs of the three corners of triangle k, as the file counts them. */
function cornerUvs({ uvs, triangles }: Mesh, k: number): number[] {
  if (!uvs) return [];
  const out: number[] = [];
  for (let c = k * 3; c < k * 3 + 3; c++) {
    const at = (uvs.indices ?? triangles)[c] * 2;
    out.push(uvs.values[at], 1 - uvs.values[at + 1]);
  }
  return out;
}

function writeText(out: TextWriter, mesh: Mesh, columns: readonly Column[], seams: boolean): Uint8Array<ArrayBuffer> {
  for (let i = 0; i < vertexCount(mesh); i++) {
    columns.forEach(({ value }, k) => {
      if (k > 0) out.byte(BLANK);
      out.float32(Math.fround(value(i)));
    });
    out.byte(LINE_END);
  }
  for (let k = 0; k < triangleCount(mesh); k++) {
    out.index(3);
    for (let c = k * 3; c < k * 3 + 3; c++) out.byte(BLANK).index(mesh.triangles[c]);
    if (seams) {
      out.byte(BLANK).index(6);
      for (const value of cornerUvs(mesh, k)) out.byte(BLANK).float32(Math.fround(value));
    }
    out.byte(LINE_END);
  }
  return out.toBytes();
}

function writeBinary(
  header: Uint8Array,
  mesh: Mesh,
  columns: readonly Column[],
  seams: boolean,
  littleEndian: boolean,
): Uint8Array<ArrayBuffer> {
  const rowBytes = columns.reduce((sum, { type }) => sum + PLY_TYPE_SIZES[type], 0);
  // A byte of length before each list: three indices of four bytes, six numbers of four.
  const faceBytes = 1 + 3 * 4 + (seams ? 1 + 6 * 4 : 0);
  const bytes = new Uint8Array(header.length + vertexCount(mesh) * rowBytes + triangleCount(mesh) * faceBytes);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  let at = header.length;
  const float = (value: number) => {
    view.setFloat32(at, value, littleEndian);
    at += 4;
  };
  for (let i = 0; i < vertexCount(mesh); i++) {
    for (const { type, value } of columns) {
      if (type === 'uint8') view.setUint8(at++, value(i));
      else float(value(i));
    }
  }
  for (let k = 0; k < triangleCount(mesh); k++) {
    view.setUint8(at++, 3);
    for (let c = k * 3; c < k * 3 + 3; c++, at += 4) view.setInt32(at, mesh.triangles[c], littleEndian);
    if (seams) {
      view.setUint8(at++, 6);
      cornerUvs(mesh, k).forEach(float);
    }
  }
  return bytes;
}
