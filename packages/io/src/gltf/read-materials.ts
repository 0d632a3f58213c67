import { type Image, MATERIAL_DEFAULTS, type Material, PeltError, type Texture } from '@pelt/model';
import { pictureFault } from '../picture-fault.ts';
import type { WarningTally } from '../warning-tally.ts';
import type { CheckedViews } from './check-accessors.ts';
import {
  childOf,
  countOf,
  flagOf,
  indexOf,
  isObject,
  type JsonObject,
  numberOf,
  numbersOf,
  objectsOf,
  optionalIndexOf,
  textOf,
} from './json-shape.ts';
import { loadUri, type ResolveFile } from './resources.ts';

/**
 * Materials, with the textures and pictures they use. What the model does not keep (clear coat, sheen, …) and what
 * cannot be found is left out with a warning: a missing picture is no reason to refuse a shape.
 */
export interface MaterialSet {
  readonly materials: readonly Material[];
  readonly images: readonly Image[];
}

/** Where textures of newer picture formats name their image. */
const TEXTURE_SOURCES = ['KHR_texture_basisu', 'EXT_texture_webp', 'EXT_texture_avif'];
const KEPT_EXTENSIONS = ['KHR_materials_unlit'];

export async function readMaterials(
  json: JsonObject,
  views: CheckedViews,
  resolve: ResolveFile | undefined,
  warnings: WarningTally,
): Promise<MaterialSet> {
  const pictures = new PictureSet(json, warnings);
  const materials = objectsOf(json, 'materials').map((material, k) =>
    readMaterial(material, `materials[${k}]`, pictures, warnings),
  );
  const images = await pictures.load(views, resolve);
  return { materials: materials.map((material) => withoutMissing(material, images.position)), images: images.found };
}

function readMaterial(material: JsonObject, where: string, pictures: PictureSet, warnings: WarningTally): Material {
  const extensions = childOf(material, 'extensions', where);
  for (const name of Object.keys(extensions)) {
    if (!KEPT_EXTENSIONS.includes(name)) warnings.add(`the look of ${name} is left out`);
  }
  const pbr = childOf(material, 'pbrMetallicRoughness', where);
  const base = numbersOf(pbr, 'baseColorFactor', where, 4) ?? [1, 1, 1, 1];
  const emissive = numbersOf(material, 'emissiveFactor', where, 3) ?? [0, 0, 0];
  const alphaMode = textOf(material, 'alphaMode');
  const { textures } = pictures;
  const slots = {
    baseColorTexture: readTexture(pbr, 'baseColorTexture', where, textures),
    metallicRoughnessTexture: readTexture(pbr, 'metallicRoughnessTexture', where, textures),
    normalTexture: readTexture(material, 'normalTexture', where, textures),
    occlusionTexture: readTexture(material, 'occlusionTexture', where, textures),
    emissiveTexture: readTexture(material, 'emissiveTexture', where, textures),
  };
  return {
    ...MATERIAL_DEFAULTS,
    name: textOf(material, 'name'),
    baseColor: [base[0], base[1], base[2], base[3]],
    // glTF's own defaults, which differ from the model's.
    metallic: numberOf(pbr, 'metallicFactor', where, 1),
    roughness: numberOf(pbr, 'roughnessFactor', where, 1),
    emissive: [emissive[0], emissive[1], emissive[2]],
    alphaMode: alphaMode === 'MASK' || alphaMode === 'BLEND' ? alphaMode : 'OPAQUE',
    alphaCutoff: numberOf(material, 'alphaCutoff', where, 0.5),
    doubleSided: flagOf(material, 'doubleSided'),
    unlit: isObject(extensions.KHR_materials_unlit),
    normalScale: numberOf(childOf(material, 'normalTexture', where), 'scale', `${where}.normalTexture`, 1),
    occlusionStrength: numberOf(
      childOf(material, 'occlusionTexture', where),
      'strength',
      `${where}.occlusionTexture`,
      1,
    ),
    ...Object.fromEntries(Object.entries(slots).filter(([, texture]) => texture)),
  };
}

/** A texture whose `image` is still the file's index. */
function readTexture(
  owner: JsonObject,
  key: string,
  where: string,
  textures: readonly (Texture | undefined)[],
): Texture | undefined {
  if (owner[key] === undefined) return undefined;
  const info = childOf(owner, key, where);
  const at = `${where}.${key}`;
  const texture = textures[indexOf(info, 'index', at, textures.length)];
  if (!texture) return undefined;
  const transform = childOf(info, 'extensions', at).KHR_texture_transform;
  let uvSet = countOf(info, 'texCoord', at, 0);
  if (!isObject(transform)) return { ...texture, uvSet };
  uvSet = countOf(transform, 'texCoord', at, uvSet);
  const offset = numbersOf(transform, 'offset', at, 2) ?? [0, 0];
  const scale = numbersOf(transform, 'scale', at, 2) ?? [1, 1];
  return {
    ...texture,
    uvSet,
    transform: {
      offset: [offset[0], offset[1]],
      rotation: numberOf(transform, 'rotation', at, 0),
      scale: [scale[0], scale[1]],
    },
  };
}

/** The file's textures and pictures, and the bytes of those that materials use. */
class PictureSet {
  readonly textures: readonly (Texture | undefined)[];
  readonly #images: readonly JsonObject[];
  readonly #warnings: WarningTally;

  constructor(json: JsonObject, warnings: WarningTally) {
    this.#images = objectsOf(json, 'images');
    this.#warnings = warnings;
    const samplers = objectsOf(json, 'samplers');
    this.textures = objectsOf(json, 'textures').map((texture, k): Texture | undefined => {
      const where = `textures[${k}]`;
      const image = sourceOf(texture, where, this.#images.length);
      if (image < 0) return undefined;
      const s = optionalIndexOf(texture, 'sampler', where, samplers.length);
      const sampler = s < 0 ? {} : samplers[s];
      const codes = ['magFilter', 'minFilter', 'wrapS', 'wrapT'].filter((key) => typeof sampler[key] === 'number');
      return { image, uvSet: 0, ...Object.fromEntries(codes.map((key) => [key, sampler[key]])) };
    });
  }

  async load(views: CheckedViews, resolve: ResolveFile | undefined): Promise<LoadedImages> {
    const used = new Set(this.textures.flatMap((texture) => (texture ? [texture.image] : [])));
    const found: Image[] = [];
    const position = new Map<number, number>();
    for (const k of [...used].sort((a, b) => a - b)) {
      const image = this.#images[k];
      const bytes = await this.#bytesOf(image, `images[${k}]`, views, resolve);
      if (!bytes || bytes.length === 0) {
        if (bytes) this.#warnings.add(`images[${k}] is empty; textures without it`);
        continue;
      }
      position.set(k, found.length);
      const kind = mimeTypeOf(bytes);
      const fault = pictureFault(bytes, kind);
      if (fault !== undefined) this.#warnings.add(`images[${k}] ${fault}; it is passed on as it is`);
      found.push({ name: textOf(image, 'name'), mimeType: kind ?? textOf(image, 'mimeType'), bytes });
    }
    return { found, position };
  }

  async #bytesOf(
    image: JsonObject,
    where: string,
    views: CheckedViews,
    resolve: ResolveFile | undefined,
  ): Promise<Uint8Array | undefined> {
    const view = optionalIndexOf(image, 'bufferView', where, views.lengths.length);
    if (view >= 0) return views.bytes[view]?.slice();
    try {
      return await loadUri(textOf(image, 'uri'), where, resolve);
    } catch (error) {
      if (!(error instanceof PeltError)) throw error;
      this.#warnings.add(`${error.message}; textures without it`);
      return undefined;
    }
  }
}

interface LoadedImages {
  readonly found: readonly Image[];
  /** File's image index → index in `found`. */
  readonly position: ReadonlyMap<number, number>;
}

function sourceOf(texture: JsonObject, where: string, images: number): number {
  const extensions = childOf(texture, 'extensions', where);
  for (const name of TEXTURE_SOURCES) {
    const extension = extensions[name];
    if (isObject(extension)) return indexOf(extension, 'source', `${where}.extensions.${name}`, images);
  }
  return optionalIndexOf(texture, 'source', where, images);
}

function withoutMissing(material: Material, position: ReadonlyMap<number, number>): Material {
  const entries = Object.entries(material).flatMap(([key, value]) => {
    if (!key.endsWith('Texture')) return [[key, value]];
    const image = position.get((value as Texture).image);
    return image === undefined ? [] : [[key, { ...(value as Texture), image }]];
  });
  return Object.fromEntries(entries) as unknown as Material;
}

/** What a picture is, from its first bytes: files often say wrong. */
export function mimeTypeOf(bytes: Uint8Array): string | undefined {
  const starts = (text: string, at = 0) => [...text].every((letter, k) => bytes[at + k] === letter.charCodeAt(0));
  if (starts('\x89PNG')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('\xabKTX 20')) return 'image/ktx2';
  if (starts('ftypavif', 4)) return 'image/avif';
  return undefined;
}
