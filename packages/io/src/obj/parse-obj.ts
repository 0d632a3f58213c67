/**
 * The statements of an OBJ file as they stand: vertices, faces with their three kinds of index, groups and materials.
 * Indices come out absolute and from 0; faces keep their corners, since cutting them into triangles needs all vertices.
 *
 * Reference: Wavefront Technologies. Advanced Visualizer manual, appendix B1, object files.
 */
import { InputError } from '@pelt/model';
import { GrowableFloat32, GrowableUint32 } from '../growable.ts';
import { fileLabel } from '../read-options.ts';
import { MAX_FLOAT32, TextScanner } from '../text-scanner.ts';
import type { WarningTally } from '../warning-tally.ts';
import { type ObjRun, ObjRuns } from './obj-runs.ts';
import { endsKeyword, notANumber, objTextStart, readCoordinate } from './obj-text.ts';

/** A corner without this kind of index. */
export const NO_INDEX = 0xffffffff;

export interface ParsedObj {
  /** n × 3 */
  readonly positions: Float32Array;
  /** n × 4, red, green, blue, alpha as the file has them; absent where no vertex has a colour */
  readonly colors: Float32Array | undefined;
  /** Count × 2, v downwards as in the model. */
  readonly uvs: Float32Array;
  /** Count × 3. */
  readonly normals: Float32Array;
  /** Corners of each face. */
  readonly faceSizes: Uint32Array;
  /** Vertex of each corner; all are in range. */
  readonly corners: Uint32Array;
  /** Entry of `uvs` of each corner, or `NO_INDEX`; absent where no corner has one. */
  readonly uvCorners: Uint32Array | undefined;
  /** Entry of `normals` of each corner, or `NO_INDEX`; absent where no corner has one. */
  readonly normalCorners: Uint32Array | undefined;
  readonly runs: readonly ObjRun[];
  readonly materialNames: readonly string[];
  /** Material libraries, as named. */
  readonly libraries: readonly string[];
}

const LETTER_F = 102;
const LETTER_G = 103;
const LETTER_N = 110;
const LETTER_O = 111;
const LETTER_T = 116;
const LETTER_V = 118;
const SLASH = 47;

export function parseObj(bytes: Uint8Array, name: string, warnings: WarningTally): ParsedObj {
  return new ObjParser(bytes, fileLabel('OBJ', name), warnings).parse();
}

class ObjParser {
  readonly #scanner: TextScanner;
  readonly #label: string;
  readonly #warnings: WarningTally;
  readonly #positions = new GrowableFloat32();
  readonly #colors = new GrowableFloat32();
  readonly #uvs = new GrowableFloat32();
  readonly #normals = new GrowableFloat32();
  readonly #faceSizes = new GrowableUint32();
  readonly #corners = new GrowableUint32();
  readonly #uvCorners = new GrowableUint32();
  readonly #normalCorners = new GrowableUint32();
  readonly #runs = new ObjRuns();
  readonly #libraries = new Set<string>();

  constructor(bytes: Uint8Array, label: string, warnings: WarningTally) {
    this.#scanner = new TextScanner(bytes, objTextStart(bytes, label));
    this.#label = label;
    this.#warnings = warnings;
  }

  parse(): ParsedObj {
    const scanner = this.#scanner;
    while (!scanner.atEnd) {
      if (scanner.moreOnLine()) this.#statement();
      scanner.nextLine();
    }
    const corners = this.#corners.toArray();
    const parsed: ParsedObj = {
      positions: this.#positions.toArray(),
      colors: this.#colors.length > 0 ? this.#paddedColors() : undefined,
      uvs: this.#uvs.toArray(),
      normals: this.#normals.toArray(),
      faceSizes: this.#faceSizes.toArray(),
      corners,
      uvCorners: paddedCorners(this.#uvCorners, corners.length),
      normalCorners: paddedCorners(this.#normalCorners, corners.length),
      runs: this.#runs.runs,
      materialNames: this.#runs.materialNames,
      libraries: [...this.#libraries],
    };
    // Only now: a face may name a vertex that comes after it.
    this.#requireVertices(parsed);
    return {
      ...parsed,
      uvCorners: this.#withoutMissing(parsed.uvCorners, parsed.uvs.length / 2, 'texture coordinate'),
      normalCorners: this.#withoutMissing(parsed.normalCorners, parsed.normals.length / 3, 'normal'),
    };
  }

  #statement(): void {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    const p = scanner.position;
    const first = bytes[p];
    if (endsKeyword(bytes, p + 1)) {
      scanner.position = p + 1;
      if (first === LETTER_V) this.#vertex();
      else if (first === LETTER_F) this.#face();
      else if (first === LETTER_O) this.#runs.startObject(scanner.restOfLine());
      else if (first === LETTER_G) this.#runs.startGroup(scanner.restOfLine());
    } else if (first === LETTER_V && endsKeyword(bytes, p + 2)) {
      scanner.position = p + 2;
      if (bytes[p + 1] === LETTER_T) this.#textureCoordinate();
      else if (bytes[p + 1] === LETTER_N) this.#normal();
    } else this.#rareStatement();
  }

  #vertex(): void {
    const scanner = this.#scanner;
    const positions = this.#positions;
    positions.push(readCoordinate(scanner, this.#label));
    positions.push(readCoordinate(scanner, this.#label));
    positions.push(readCoordinate(scanner, this.#label));
    if (scanner.moreOnLine()) this.#vertexColor();
  }

  /** One number more is the weight of a rational curve, of no meaning to a mesh; three or four more are a colour. */
  #vertexColor(): void {
    const scanner = this.#scanner;
    const extra: number[] = [];
    while (extra.length < 4 && scanner.moreOnLine()) {
      extra.push(this.#colorComponent());
    }
    if (extra.length < 3) return;
    const [red, green, blue, alpha = 1] = extra;
    this.#colors.padTo((this.#positions.length / 3 - 1) * 4, 1);
    for (const value of [red, green, blue, alpha]) this.#colors.push(value);
  }

  /** A colour that is not finite is mended; a word that is no number at all is not a colour. */
  #colorComponent(): number {
    const value = this.#scanner.number();
    if (Math.abs(value) <= MAX_FLOAT32) return value;
    if (!/^[-+]?(nan|inf|[\d.])/i.test(this.#scanner.lastToken())) throw notANumber(this.#scanner, this.#label);
    this.#warnings.add('a vertex colour is not a finite number; 0 is used');
    return 0;
  }

  #paddedColors(): Float32Array {
    this.#colors.padTo((this.#positions.length / 3) * 4, 1);
    return this.#colors.toArray();
  }

  /** The file counts v upwards, the model downwards. A coordinate may have u alone; v is 0 then. */
  #textureCoordinate(): void {
    this.#uvs.push(this.#finiteOrZero('texture coordinate'));
    this.#uvs.push(1 - (this.#scanner.moreOnLine() ? this.#finiteOrZero('texture coordinate') : 0));
  }

  #normal(): void {
    for (let d = 0; d < 3; d++) this.#normals.push(this.#finiteOrZero('normal'));
  }

  /** Exporters do write NaN for the normals and UVs of degenerate faces, so that is mended with a warning. */
  #finiteOrZero(what: string): number {
    const value = this.#scanner.moreOnLine() ? this.#scanner.number() : Number.NaN;
    if (Math.abs(value) <= MAX_FLOAT32) return value;
    this.#warnings.add(`a ${what} is not a finite number; 0 is used`);
    return 0;
  }

  #face(): void {
    const scanner = this.#scanner;
    const firstCorner = this.#corners.length;
    while (scanner.moreOnLine()) {
      this.#corners.push(this.#index(this.#positions.length / 3));
      if (this.#slash()) {
        this.#optionalIndex(this.#uvCorners, this.#uvs.length / 2, 'texture coordinate');
        if (this.#slash()) this.#optionalIndex(this.#normalCorners, this.#normals.length / 3, 'normal');
      }
      if (scanner.wordGoesOn()) throw this.#badIndex();
    }
    const count = this.#corners.length - firstCorner;
    if (count < 3) {
      this.#warnings.add('a face has fewer than 3 corners and is left out');
      this.#corners.truncate(firstCorner);
      this.#uvCorners.truncate(firstCorner);
      this.#normalCorners.truncate(firstCorner);
      return;
    }
    this.#runs.addFace(this.#faceSizes.length);
    this.#faceSizes.push(count);
  }

  #slash(): boolean {
    const scanner = this.#scanner;
    if (scanner.position >= scanner.end || scanner.bytes[scanner.position] !== SLASH) return false;
    scanner.position++;
    return true;
  }

  /**
   * `v//vn` has nothing between its slashes, `v/` nothing behind its one. An index that names nothing is dropped with a
   * warning: it is a flaw of the look, not of the shape, and exporters do write `v//vn` without any normals.
   */
  #optionalIndex(indices: GrowableUint32, count: number, what: string): void {
    const scanner = this.#scanner;
    if (!scanner.wordGoesOn() || scanner.bytes[scanner.position] === SLASH) return;
    const index = this.#absoluteIndex(count);
    if (Number.isNaN(index)) throw this.#badIndex();
    if (isIndex(index)) {
      indices.padTo(this.#corners.length - 1, NO_INDEX);
      indices.push(index);
    } else this.#warnings.add(missing(what));
  }

  #index(count: number): number {
    const index = this.#absoluteIndex(count);
    if (!isIndex(index)) throw this.#badIndex();
    return index;
  }

  /** An index from 1, or from −1 backwards from the `count` entries read so far, made absolute and from 0. */
  #absoluteIndex(count: number): number {
    const index = this.#scanner.integer();
    return index < 0 ? count + index : index - 1;
  }

  #badIndex(): InputError {
    const token = this.#scanner.lastToken();
    return new InputError(
      `${this.#label}, line ${this.#scanner.lineNumber()}: '${token}' in a face is not a valid index ` +
        '(1 is the first, −1 the last so far); repair or export the file again',
    );
  }

  #rareStatement(): void {
    const scanner = this.#scanner;
    switch (scanner.word()) {
      case 'usemtl':
        this.#runs.useMaterial(scanner.restOfLine());
        break;
      case 'mtllib': {
        const name = scanner.restOfLine();
        if (name) this.#libraries.add(name);
        break;
      }
      case 'curv':
      case 'curv2':
      case 'surf':
        this.#warnings.add('free-form curves and surfaces are not read');
        break;
    }
  }

  #requireVertices({ corners, positions, faceSizes }: ParsedObj): void {
    const count = positions.length / 3;
    const k = corners.findIndex((corner) => corner >= count);
    if (k < 0) return;
    throw new InputError(
      `${this.#label}: face ${faceOfCorner(faceSizes, k) + 1} names vertex ${corners[k] + 1}, ` +
        `but the file has ${count}; it is cut short or damaged, export it again`,
    );
  }

  /** Indices beyond the last entry dropped; absent where none is left. */
  #withoutMissing(indices: Uint32Array | undefined, count: number, what: string): Uint32Array | undefined {
    if (!indices) return undefined;
    let kept = 0;
    for (let k = 0; k < indices.length; k++) {
      if (indices[k] < count) kept++;
      else if (indices[k] !== NO_INDEX) {
        this.#warnings.add(missing(what));
        indices[k] = NO_INDEX;
      }
    }
    return kept > 0 ? indices : undefined;
  }
}

function isIndex(index: number): boolean {
  return index >= 0 && index < NO_INDEX;
}

function missing(what: string): string {
  return `a face names a ${what} that the file does not have; it is ignored`;
}

function paddedCorners(indices: GrowableUint32, corners: number): Uint32Array | undefined {
  if (indices.length === 0) return undefined;
  indices.padTo(corners, NO_INDEX);
  return indices.toArray();
}

function faceOfCorner(faceSizes: Uint32Array, corner: number): number {
  let face = 0;
  for (let end = faceSizes[0]; end <= corner; end += faceSizes[face]) face++;
  return face;
}
