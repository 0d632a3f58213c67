/**
 * A mesh as OBJ, with its material library and pictures: positions in vertex order, UVs and normals with their own
 * indices, vertex colours behind the positions, parts as objects.
 */
import {
  type CornerAttribute,
  type Mesh,
  type MeshPart,
  resolveOptions,
  triangleCount,
  vertexCount,
} from '@pelt/model';
import { fileLabel, type OutputFile, stemOf } from '../read-options.ts';
import { linearToSrgb } from '../srgb.ts';
import { onOneLine, TextWriter } from '../text-writer.ts';
import { vertexAttribute } from '../vertex-attribute.ts';
import { WarningTally } from '../warning-tally.ts';
import { materialNames, writeMtl } from './write-mtl.ts';

export interface WriteObjOptions {
  /** Name of the OBJ itself. */
  readonly name: string;
  /** Name of its material library; empty: the OBJ's, with `.mtl`. Frames of a sequence share one. */
  readonly library: string;
  readonly onWarning: ((message: string) => void) | undefined;
}

export const WRITE_OBJ_DEFAULTS: WriteObjOptions = { name: 'mesh.obj', library: '', onWarning: undefined };

const BLANK = 32;
const LINE_END = 10;
const SLASH = 47;
/** Colours come from 8 bits nearly always; six decimals hold those of 16. */
const COLOR_DECIMALS = 6;

/**
 * Writes a mesh as a Wavefront OBJ file.
 *
 * @returns the OBJ first, then its material library and images where the mesh has materials
 * @example
 * {@includeCode ../../examples/meshes.ts}
 */
export function writeObj(mesh: Mesh, options?: Partial<WriteObjOptions>): OutputFile[] {
  const { name, library, onWarning } = resolveOptions('writeObj', WRITE_OBJ_DEFAULTS, options);
  const warnings = new WarningTally(fileLabel('OBJ', name), onWarning);
  if (mesh.uvs2) warnings.add('the second set of UVs has no place in the format and is left out');
  const materials = mesh.materials ?? [];
  const libraryName = library || `${stemOf(name)}.mtl`;
  const out = new TextWriter();
  if (materials.length > 0) out.text(`mtllib ${onOneLine(libraryName)}\n`);
  writePositions(out, mesh, warnings);
  if (mesh.uvs) writeUvs(out, mesh.uvs);
  if (mesh.normals) writeNormals(out, mesh.normals);
  writeFaces(out, mesh);
  const files: OutputFile[] = [{ name, bytes: out.toBytes() }];
  if (materials.length > 0) files.push(...writeMtl(mesh, libraryName, warnings));
  warnings.flush();
  return files;
}

function writePositions(out: TextWriter, mesh: Mesh, warnings: WarningTally): void {
  const { positions, colors } = mesh;
  const perVertex = colors && vertexAttribute(colors, mesh);
  const size = colors?.size ?? 0;
  if (perVertex && perVertex.split > 0) {
    warnings.add(`${perVertex.split} vertices have several colours; the format keeps one, their mean`);
  }
  for (let i = 0; i < vertexCount(mesh); i++) {
    out.byte(118);
    for (let d = 0; d < 3; d++) out.byte(BLANK).float32(positions[i * 3 + d]);
    for (let d = 0; perVertex && d < size; d++) {
      const value = perVertex.values[i * size + d];
      out.byte(BLANK).rounded(d < 3 ? linearToSrgb(value) : value, COLOR_DECIMALS);
    }
    out.byte(LINE_END);
  }
}

function writeUvs(out: TextWriter, { values }: CornerAttribute): void {
  for (let k = 0; k < values.length; k += 2) {
    out
      .text('vt ')
      .float32(values[k])
      .text(` ${upwards(values[k + 1])}\n`);
  }
}

/** 1 − v with as few digits as give v back, or as many as a double tells apart. */
function upwards(v: number): string {
  const flipped = 1 - v;
  for (let digits = 6; digits < 15; digits++) {
    const rounded = Number(flipped.toPrecision(digits));
    if (Math.fround(1 - rounded) === v) return String(rounded);
  }
  return String(Number(flipped.toPrecision(15)));
}

function writeNormals(out: TextWriter, { values }: CornerAttribute): void {
  for (let k = 0; k < values.length; k += 3) {
    out.text('vn');
    for (let d = 0; d < 3; d++) out.byte(BLANK).float32(values[k + d]);
    out.byte(LINE_END);
  }
}

function writeFaces(out: TextWriter, mesh: Mesh): void {
  const names = materialNames(mesh.materials ?? []);
  const whole: MeshPart = { name: '', firstTriangle: 0, triangleCount: triangleCount(mesh), material: -1 };
  let material = -1;
  for (const part of mesh.parts ?? [whole]) {
    if (mesh.parts) out.text(`o ${onOneLine(part.name)}\n`);
    if (part.material !== material) {
      material = part.material;
      out.text(`usemtl ${material < 0 ? '(null)' : names[material]}\n`);
    }
    writeTriangles(out, mesh, part);
  }
}

function writeTriangles(out: TextWriter, mesh: Mesh, { firstTriangle, triangleCount: count }: MeshPart): void {
  const { triangles, uvs, normals } = mesh;
  for (let c = firstTriangle * 3; c < (firstTriangle + count) * 3; c++) {
    if (c % 3 === 0) out.byte(102);
    out.byte(BLANK).index(triangles[c] + 1);
    if (uvs) out.byte(SLASH).index((uvs.indices ?? triangles)[c] + 1);
    else if (normals) out.byte(SLASH);
    if (normals) out.byte(SLASH).index((normals.indices ?? triangles)[c] + 1);
    if (c % 3 === 2) out.byte(LINE_END);
  }
}
