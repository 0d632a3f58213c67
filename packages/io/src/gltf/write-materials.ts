import type { Material as FileMaterial, Texture as FileTexture, GLTF, TextureInfo } from '@gltf-transform/core';
import {
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRMaterialsUnlit,
  KHRTextureBasisu,
  KHRTextureTransform,
} from '@gltf-transform/extensions';
import { MATERIAL_DEFAULTS, type Material, type Mesh, type Texture } from '@pelt/model';
import type { GlbDocument } from './glb-document.ts';

/** Pictures that glTF knows, and what it needs to know the newer ones. */
const PICTURES: Readonly<
  Record<string, typeof EXTTextureWebP | typeof EXTTextureAVIF | typeof KHRTextureBasisu | null>
> = {
  'image/png': null,
  'image/jpeg': null,
  'image/webp': EXTTextureWebP,
  'image/avif': EXTTextureAVIF,
  'image/ktx2': KHRTextureBasisu,
};
const MAG_FILTERS = [9728, 9729];
const MIN_FILTERS = [9728, 9729, 9984, 9985, 9986, 9987];
const WRAP_MODES = [33071, 33648, 10497];

/** What of a material a file's vertices can carry. */
export interface SurfaceSupport {
  /** Sets of UVs that are written. */
  readonly uvSets: readonly number[];
  readonly normals: boolean;
}

/** Materials and pictures on their way into a file; each is written once, and only if something uses it. */
export class MaterialWriter {
  readonly #glb: GlbDocument;
  readonly #mesh: Mesh;
  readonly #support: SurfaceSupport;
  readonly #onWarning: (message: string) => void;
  readonly #materials = new Map<number, FileMaterial>();
  readonly #pictures = new Map<number, FileTexture>();

  constructor(glb: GlbDocument, mesh: Mesh, support: SurfaceSupport, onWarning: (message: string) => void) {
    this.#glb = glb;
    this.#mesh = mesh;
    this.#support = support;
    this.#onWarning = onWarning;
  }

  /**
   * @param index  of the mesh's materials; −1 for the model's plain one, because glTF's own is a metal, and black
   *               wherever nothing is mirrored in it
   */
  material(index: number): FileMaterial {
    const written = this.#materials.get(index) ?? this.#write(this.#mesh.materials?.[index] ?? MATERIAL_DEFAULTS);
    this.#materials.set(index, written);
    return written;
  }

  #write(material: Material): FileMaterial {
    const [r, g, b, a] = material.baseColor.map(clamp);
    const [er, eg, eb] = material.emissive.map(clamp);
    const file = this.#glb.document
      .createMaterial(material.name)
      .setBaseColorFactor([r, g, b, a])
      .setMetallicFactor(clamp(material.metallic))
      .setRoughnessFactor(clamp(material.roughness))
      .setEmissiveFactor([er, eg, eb])
      .setAlphaMode(material.alphaMode)
      .setAlphaCutoff(Math.max(material.alphaCutoff, 0))
      .setDoubleSided(material.doubleSided)
      .setNormalScale(material.normalScale)
      .setOcclusionStrength(clamp(material.occlusionStrength));
    if (material.unlit) file.setExtension('KHR_materials_unlit', this.#glb.use(KHRMaterialsUnlit).createUnlit());

    const set = (texture: Texture | undefined, assign: (picture: FileTexture) => TextureInfo | null) => {
      const picture = texture && this.#picture(texture, material.name);
      const info = picture && assign(picture);
      if (info) this.#describe(info, texture);
    };
    set(material.baseColorTexture, (picture) => file.setBaseColorTexture(picture).getBaseColorTextureInfo());
    set(material.metallicRoughnessTexture, (picture) =>
      file.setMetallicRoughnessTexture(picture).getMetallicRoughnessTextureInfo(),
    );
    set(material.occlusionTexture, (picture) => file.setOcclusionTexture(picture).getOcclusionTextureInfo());
    set(material.emissiveTexture, (picture) => file.setEmissiveTexture(picture).getEmissiveTextureInfo());
    if (this.#support.normals) {
      set(material.normalTexture, (picture) => file.setNormalTexture(picture).getNormalTextureInfo());
    } else if (material.normalTexture) {
      this.#onWarning(`material '${material.name}': its normal map is left out, for want of normals or UVs`);
    }
    return file;
  }

  #picture({ image: index, uvSet }: Texture, owner: string): FileTexture | undefined {
    const image = this.#mesh.images?.[index];
    if (!this.#support.uvSets.includes(uvSet)) {
      this.#onWarning(`material '${owner}': a texture needs UV set ${uvSet}, which the mesh does not have`);
      return undefined;
    }
    if (image?.bytes.length === 0) {
      this.#onWarning(`material '${owner}': the texture '${image.name}' is empty and left out`);
      return undefined;
    }
    if (!image || !Object.hasOwn(PICTURES, image.mimeType)) {
      this.#onWarning(`material '${owner}': glTF cannot hold a texture of type '${image?.mimeType ?? 'none'}'`);
      return undefined;
    }
    const extension = PICTURES[image.mimeType];
    if (extension) this.#glb.use(extension as typeof EXTTextureWebP).setRequired(true);
    const written =
      this.#pictures.get(index) ??
      this.#glb.document.createTexture(image.name).setImage(image.bytes.slice()).setMimeType(image.mimeType);
    this.#pictures.set(index, written);
    return written;
  }

  #describe(info: TextureInfo, { uvSet, magFilter, minFilter, wrapS, wrapT, transform }: Texture): void {
    info.setTexCoord(uvSet);
    if (isOneOf(magFilter, MAG_FILTERS)) info.setMagFilter(magFilter as GLTF.TextureMagFilter);
    if (isOneOf(minFilter, MIN_FILTERS)) info.setMinFilter(minFilter as GLTF.TextureMinFilter);
    if (isOneOf(wrapS, WRAP_MODES)) info.setWrapS(wrapS as GLTF.TextureWrapMode);
    if (isOneOf(wrapT, WRAP_MODES)) info.setWrapT(wrapT as GLTF.TextureWrapMode);
    if (!transform) return;
    const { offset, rotation, scale } = transform;
    info.setExtension(
      'KHR_texture_transform',
      this.#glb
        .use(KHRTextureTransform)
        .createTransform()
        .setOffset([...offset])
        .setRotation(rotation)
        .setScale([...scale]),
    );
  }
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

function isOneOf(value: number | undefined, codes: readonly number[]): value is number {
  return value !== undefined && codes.includes(value);
}
