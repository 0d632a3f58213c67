/** An encoded picture, as it came: pelt moves it along and never decodes it. */
export interface Image {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** A reference to an image, with its sampler. */
export interface Texture {
  /** Index into the mesh's `images`. */
  readonly image: number;
  /** Which set of UVs it uses; pelt keeps sets 0 and 1. */
  readonly uvSet: number;
  /** glTF sampler codes (WebGL enums), absent for the format's default. */
  readonly magFilter?: number;
  readonly minFilter?: number;
  readonly wrapS?: number;
  readonly wrapT?: number;
  /** KHR_texture_transform, absent for identity. */
  readonly transform?: {
    readonly offset: readonly [number, number];
    readonly rotation: number;
    readonly scale: readonly [number, number];
  };
}

/** A surface's look, in the metallic-roughness model that glTF and every engine share. */
export interface Material {
  readonly name: string;
  /** Linear RGBA, 0 to 1. */
  readonly baseColor: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  readonly emissive: readonly [number, number, number];
  readonly alphaMode: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  readonly unlit: boolean;
  readonly normalScale: number;
  readonly occlusionStrength: number;
  readonly baseColorTexture?: Texture;
  readonly metallicRoughnessTexture?: Texture;
  readonly normalTexture?: Texture;
  readonly occlusionTexture?: Texture;
  readonly emissiveTexture?: Texture;
}

export const MATERIAL_DEFAULTS: Material = {
  name: '',
  baseColor: [1, 1, 1, 1],
  metallic: 0,
  roughness: 0.8,
  emissive: [0, 0, 0],
  alphaMode: 'OPAQUE',
  alphaCutoff: 0.5,
  doubleSided: false,
  unlit: false,
  normalScale: 1,
  occlusionStrength: 1,
};
