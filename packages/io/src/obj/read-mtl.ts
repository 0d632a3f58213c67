/**
 * The materials an OBJ uses, from the libraries it names, in the metallic-roughness model. Kd and Ke enter the shading
 * sum as they stand, so they are linear; Pr, Pm and norm are the physically based extension of the format.
 *
 * References: Wavefront Technologies. MTL material format. 1995. Exocortex. PBR extension to MTL. 2014.
 */
import { type Image, MATERIAL_DEFAULTS, type Material, type Texture } from '@pelt/model';
import { baseName } from '../read-options.ts';
import { relativePath } from '../relative-path.ts';
import { TextScanner } from '../text-scanner.ts';
import type { WarningTally } from '../warning-tally.ts';

export interface ObjMaterials {
  /** In the order of the names asked for. */
  readonly materials: readonly Material[];
  readonly images: readonly Image[];
}

type Resolve = (path: string) => Uint8Array | undefined;
type MutableMaterial = { -readonly [K in keyof Material]: Material[K] };

/** How many words follow each option of a map statement, at most; those beyond the first must be numbers. */
const MAP_OPTION_WORDS: Readonly<Record<string, number>> = {
  '-blendu': 1,
  '-blendv': 1,
  '-boost': 1,
  '-bm': 1,
  '-cc': 1,
  '-clamp': 1,
  '-imfchan': 1,
  '-mm': 2,
  '-o': 3,
  '-s': 3,
  '-t': 3,
  '-texres': 1,
  '-type': 1,
};

/**
 * @param names      materials that the OBJ uses
 * @param libraries  what stands behind its `mtllib` statements
 */
export function readMaterials(
  names: readonly string[],
  libraries: readonly string[],
  resolve: Resolve | undefined,
  warnings: WarningTally,
): ObjMaterials {
  const reader = new MaterialReader(resolve, warnings);
  if (resolve) for (const library of libraries) reader.readLibrary(library);
  const materials = names.map((name) => {
    const found = reader.found.get(name);
    if (!found && resolve) warnings.add(`material '${name}' is in no library; it gets the default look`);
    return found ?? { ...MATERIAL_DEFAULTS, name };
  });
  return reader.withUsedImages(materials);
}

class MaterialReader {
  readonly found = new Map<string, MutableMaterial>();
  readonly #resolve: Resolve | undefined;
  readonly #warnings: WarningTally;
  readonly #images: Image[] = [];
  /** Index of the image of each path; −1 where there is none to be had, so that it is told once. */
  readonly #imageOfPath = new Map<string, number>();

  constructor(resolve: Resolve | undefined, warnings: WarningTally) {
    this.#resolve = resolve;
    this.#warnings = warnings;
  }

  /** A name may hold blanks, and a statement several names: the whole is tried first. */
  readLibrary(statement: string): void {
    const whole = this.#load(statement);
    if (whole) {
      this.#parse(whole);
      return;
    }
    for (const word of statement.split(/\s+/)) {
      const bytes = word === statement ? undefined : this.#load(word);
      if (bytes) this.#parse(bytes);
      else this.#tellMissing('material library', word);
    }
  }

  /** Materials with the images they use, numbered anew in the order of their first use. */
  withUsedImages(materials: readonly Material[]): ObjMaterials {
    const newIndex = new Map<number, number>();
    const renumber = (texture: Texture | undefined): Texture | undefined => {
      if (!texture) return undefined;
      const image = newIndex.get(texture.image) ?? newIndex.size;
      newIndex.set(texture.image, image);
      return { ...texture, image };
    };
    const renumbered = materials.map((material) => ({
      ...material,
      baseColorTexture: renumber(material.baseColorTexture),
      normalTexture: renumber(material.normalTexture),
      emissiveTexture: renumber(material.emissiveTexture),
    }));
    return { materials: renumbered, images: [...newIndex.keys()].map((image) => this.#images[image]) };
  }

  #load(path: string): Uint8Array | undefined {
    const relative = relativePath(path);
    return relative === undefined ? undefined : this.#resolve?.(relative);
  }

  #tellMissing(what: string, path: string): void {
    const why = relativePath(path) === undefined ? "lies outside the file's folder and is not read" : 'was not found';
    this.#warnings.add(`${what} '${path}' ${why}`);
  }

  #parse(bytes: Uint8Array): void {
    const scanner = new TextScanner(bytes);
    let material: MutableMaterial | undefined;
    for (; !scanner.atEnd; scanner.nextLine()) {
      if (!scanner.moreOnLine()) continue;
      const keyword = scanner.word();
      if (keyword === 'newmtl') {
        const name = scanner.restOfLine();
        material = { ...MATERIAL_DEFAULTS, name };
        // The first of a name wins, as with libraries searched in their order.
        if (!this.found.has(name)) this.found.set(name, material);
      } else if (material) this.#statement(keyword, scanner, material);
    }
  }

  #statement(keyword: string, scanner: TextScanner, material: MutableMaterial): void {
    switch (keyword) {
      case 'Kd': {
        const [red, green, blue] = color(scanner);
        material.baseColor = [red, green, blue, material.baseColor[3]];
        break;
      }
      case 'Ke':
        material.emissive = color(scanner);
        break;
      case 'd':
      case 'Tr': {
        const value = fraction(scanner, keyword === 'd' ? 1 : 0);
        const alpha = keyword === 'd' ? value : 1 - value;
        const [red, green, blue] = material.baseColor;
        material.baseColor = [red, green, blue, alpha];
        if (alpha < 1) material.alphaMode = 'BLEND';
        break;
      }
      case 'Pr':
        material.roughness = fraction(scanner, MATERIAL_DEFAULTS.roughness);
        break;
      case 'Pm':
        material.metallic = fraction(scanner, MATERIAL_DEFAULTS.metallic);
        break;
      case 'map_Kd':
        material.baseColorTexture = this.#map(scanner).texture;
        break;
      case 'map_Ke':
        material.emissiveTexture = this.#map(scanner).texture;
        break;
      case 'map_d':
        // Its picture is the base colour's nearly always; what it says of the material is that the surface has holes.
        material.alphaMode = 'BLEND';
        break;
      case 'norm':
      case 'bump':
      case 'map_bump':
      case 'map_Bump': {
        const { texture, multiplier } = this.#map(scanner);
        material.normalTexture = texture;
        material.normalScale = multiplier;
        break;
      }
    }
  }

  #map(scanner: TextScanner): { texture: Texture | undefined; multiplier: number } {
    const words = scanner.restOfLine().split(/\s+/);
    const numbersOf = new Map<string, number[]>();
    let k = 0;
    while (k < words.length - 1 && Object.hasOwn(MAP_OPTION_WORDS, words[k])) {
      const option = words[k++];
      const end = Math.min(k + MAP_OPTION_WORDS[option], words.length - 1);
      const numbers = [];
      for (const first = k; k < end; k++) {
        const value = Number(words[k]);
        if (Number.isFinite(value)) numbers.push(value);
        else if (k > first) break;
      }
      numbersOf.set(option, numbers);
    }
    const image = this.#image(words.slice(k).join(' '));
    const multiplier = numbersOf.get('-bm')?.[0] ?? 1;
    if (image < 0) return { texture: undefined, multiplier };
    const [offsetU = 0, offsetV = 0] = numbersOf.get('-o') ?? [];
    const [scaleU = 1, scaleV = 1] = numbersOf.get('-s') ?? [];
    if (offsetU === 0 && offsetV === 0 && scaleU === 1 && scaleV === 1) {
      return { texture: { image, uvSet: 0 }, multiplier };
    }
    // The file's v' = scale · v + offset counts upwards, the model's downwards: 1 − v' = scale · (1 − v) + (1 − scale − offset).
    const transform = {
      offset: [offsetU, 1 - scaleV - offsetV] as const,
      rotation: 0,
      scale: [scaleU, scaleV] as const,
    };
    return { texture: { image, uvSet: 0, transform }, multiplier };
  }

  #image(path: string): number {
    if (path === '') return -1;
    const key = relativePath(path) ?? path;
    const known = this.#imageOfPath.get(key);
    if (known !== undefined) return known;
    const bytes = this.#load(path);
    const mimeType = bytes && imageType(bytes);
    let index = -1;
    if (!bytes) this.#tellMissing('texture', path);
    else if (!mimeType) this.#warnings.add(`texture '${path}' is not PNG, JPEG or WebP and is left out; convert it`);
    else index = this.#images.push({ name: baseName(path), mimeType, bytes }) - 1;
    this.#imageOfPath.set(key, index);
    return index;
  }
}

/** The kinds of picture that glTF and browsers take, by their first bytes. */
function imageType(bytes: Uint8Array): string | undefined {
  const begins = (at: number, ...values: number[]) => values.every((value, k) => bytes[at + k] === value);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return undefined;
}

/** Three numbers from 0 to 1, or one for all three. */
function color(scanner: TextScanner): [number, number, number] {
  const red = fraction(scanner, 0);
  const green = fraction(scanner, red);
  return [red, green, fraction(scanner, green)];
}

function fraction(scanner: TextScanner, fallback: number): number {
  if (!scanner.moreOnLine()) return fallback;
  const value = scanner.number();
  return Number.isNaN(value) ? fallback : Math.min(Math.max(value, 0), 1);
}
