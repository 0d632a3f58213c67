/** Materials of three as those of glTF: base colour, emission, opacity, and the pictures for them. */
import type { Document, Material as FileMaterial, Texture as FileTexture } from '@gltf-transform/core';
import { type Color, DoubleSide, type Material, type Texture } from 'three';

/** What the loader's Phong and Lambert materials have. */
interface FbxMaterial extends Material {
  readonly color?: Color;
  readonly emissive?: Color;
  readonly emissiveIntensity?: number;
  readonly map?: Texture | null;
  readonly normalMap?: Texture | null;
  readonly emissiveMap?: Texture | null;
}

export class MaterialWriter {
  readonly #document: Document;
  readonly #pictures: ReadonlyMap<Texture, Uint8Array>;
  readonly #materials = new Map<Material, FileMaterial>();
  readonly #textures = new Map<Uint8Array, FileTexture>();

  constructor(document: Document, pictures: ReadonlyMap<Texture, Uint8Array>) {
    this.#document = document;
    this.#pictures = pictures;
  }

  material(material: Material): FileMaterial {
    const written = this.#materials.get(material) ?? this.#write(material as FbxMaterial);
    this.#materials.set(material, written);
    return written;
  }

  #write({
    name,
    color,
    emissive,
    emissiveIntensity = 1,
    opacity,
    transparent,
    side,
    map,
    normalMap,
    emissiveMap,
  }: FbxMaterial) {
    const file = this.#document.createMaterial(name).setMetallicFactor(0).setRoughnessFactor(1);
    file.setBaseColorFactor([color?.r ?? 1, color?.g ?? 1, color?.b ?? 1, opacity]);
    if (emissive) {
      const [r, g, b] = [emissive.r, emissive.g, emissive.b].map((value) => Math.min(value * emissiveIntensity, 1));
      file.setEmissiveFactor([r, g, b]);
    }
    if (transparent || opacity < 1) file.setAlphaMode('BLEND');
    file.setDoubleSided(side === DoubleSide);
    file.setBaseColorTexture(this.#texture(map));
    file.setNormalTexture(this.#texture(normalMap));
    file.setEmissiveTexture(this.#texture(emissiveMap));
    return file;
  }

  #texture(texture: Texture | null | undefined): FileTexture | null {
    const bytes = texture && this.#pictures.get(texture);
    const mimeType = bytes && mimeTypeOf(bytes);
    if (!bytes || !mimeType) return null;
    const written =
      this.#textures.get(bytes) ??
      this.#document.createTexture(texture.name).setImage(bytes.slice()).setMimeType(mimeType);
    this.#textures.set(bytes, written);
    return written;
  }
}

/** The two formats that every glTF reader knows, by their first bytes. */
function mimeTypeOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'image/png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : undefined;
}
