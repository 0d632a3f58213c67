/** Materials of an FBX, Phong or Lambert or those of Maya and 3ds Max for physical shading, as metal and roughness. */
import { type Image, MATERIAL_DEFAULTS, type Material, type Texture } from '@pelt/model';
import { mimeTypeOf } from '../gltf/read-materials.ts';
import { baseName } from '../read-options.ts';
import { relativePath } from '../relative-path.ts';
import { srgbToLinear } from '../srgb.ts';
import type { WarningTally } from '../warning-tally.ts';
import { childNamed, numbersIn, textIn } from './fbx-node.ts';
import type { FbxObject, FbxObjects } from './fbx-objects.ts';

export type ResolvePicture = (path: string) => Uint8Array | undefined;

type TextureKey =
  | 'baseColorTexture'
  | 'normalTexture'
  | 'emissiveTexture'
  | 'metallicRoughnessTexture'
  | 'occlusionTexture';

/** The properties that textures are connected to. */
const TEXTURES: readonly (readonly [TextureKey, RegExp])[] = [
  ['baseColorTexture', /^(DiffuseColor|Diffuse|Maya\|TEX_color_map|Maya\|baseColor|3dsMax\|.*base_color_map)$/],
  ['normalTexture', /^(NormalMap|Bump|Maya\|TEX_normal_map|Maya\|normalCamera|3dsMax\|.*(norm|bump)_map)$/],
  ['emissiveTexture', /^(EmissiveColor|Maya\|TEX_emissive_map|3dsMax\|.*emit_color_map)$/],
  ['metallicRoughnessTexture', /^pelt\|MetallicRoughness$/],
  ['occlusionTexture', /^pelt\|Occlusion$/],
];
const METALLIC = ['Maya|metallic', 'Maya|metalness', '3dsMax|Parameters|metalness', 'pelt|Metallic'];
const ROUGHNESS = ['Maya|roughness', 'Maya|specularRoughness', '3dsMax|Parameters|roughness', 'pelt|Roughness'];
const CLAMP_TO_EDGE = 33071;
const FBX_CLAMP = 1;

export class MaterialReader {
  readonly images: Image[] = [];
  readonly materials: Material[] = [];
  readonly #objects: FbxObjects;
  readonly #resolve: ResolvePicture | undefined;
  readonly #warnings: WarningTally;
  readonly #known = new Map<FbxObject, number>();
  readonly #pictures = new Map<FbxObject, number>();

  constructor(objects: FbxObjects, resolve: ResolvePicture | undefined, warnings: WarningTally) {
    this.#objects = objects;
    this.#resolve = resolve;
    this.#warnings = warnings;
  }

  /** Its index; materials that no mesh uses are never read. */
  material(object: FbxObject): number {
    const known = this.#known.get(object);
    if (known !== undefined) return known;
    this.materials.push(this.#read(object));
    this.#known.set(object, this.materials.length - 1);
    return this.materials.length - 1;
  }

  #read(object: FbxObject): Material {
    const textures: Partial<Record<TextureKey, Texture>> = {};
    for (const { object: linked, property } of this.#objects.childrenOf(object)) {
      const [key] = TEXTURES.find(([, pattern]) => pattern.test(property)) ?? [];
      const texture =
        linked.kind === 'LayeredTexture' ? this.#objects.childrenOf(linked, 'Texture')[0]?.object : linked;
      if (texture?.kind !== 'Texture') continue;
      if (!key) {
        // Transparency comes with the colour's own alpha; other maps have no place in metal and roughness.
        if (!/^Transparen/.test(property)) this.#warnings.add(`textures of '${property}' are left out`);
        continue;
      }
      const read = this.#texture(texture);
      if (read) textures[key] ??= read;
    }
    const [r, g, b] = this.#color(object, 'DiffuseColor', 'DiffuseFactor', [0.8, 0.8, 0.8]);
    const opacity = this.#opacity(object);
    const first = (names: readonly string[], fallback: number) => {
      const name = names.find((candidate) => this.#objects.has(object, candidate));
      return name ? clamp(this.#objects.number(object, name, fallback)) : fallback;
    };
    const textured = textures.baseColorTexture !== undefined;
    return {
      ...MATERIAL_DEFAULTS,
      name: object.name,
      // A texture replaces the colour in FBX; in glTF the two are multiplied.
      baseColor: textured ? [1, 1, 1, opacity] : [r, g, b, opacity],
      metallic: first(METALLIC, 0),
      roughness: first(ROUGHNESS, 1),
      emissive: this.#color(object, 'EmissiveColor', 'EmissiveFactor', [0, 0, 0]),
      alphaMode: this.#alphaMode(object, opacity),
      doubleSided: this.#objects.number(object, 'pelt|DoubleSided', 0) === 1,
      ...textures,
    };
  }

  #color(object: FbxObject, name: string, factor: string, fallback: number[]): [number, number, number] {
    const color = this.#objects.vector(object, name, fallback);
    const share = this.#objects.number(object, factor, 1);
    const [r, g, b] = color.map((value) => clamp(srgbToLinear(clamp(value)) * share));
    return [r, g, b];
  }

  /** Some writers give the transparency, others 1 for a material that is not transparent at all. */
  #opacity(object: FbxObject): number {
    if (this.#objects.has(object, 'Opacity')) return clamp(this.#objects.number(object, 'Opacity', 1));
    const opacity = clamp(1 - this.#objects.number(object, 'TransparencyFactor', 0));
    return opacity === 0 ? 1 : opacity;
  }

  #alphaMode(object: FbxObject, opacity: number): Material['alphaMode'] {
    const given = this.#objects.number(object, 'pelt|AlphaMode', -1);
    if (given >= 0) return given === 1 ? 'MASK' : given === 2 ? 'BLEND' : 'OPAQUE';
    const masked = this.#objects.childrenOf(object, 'Texture').some(({ property }) => /^Transparen/.test(property));
    return masked || opacity < 1 ? 'BLEND' : 'OPAQUE';
  }

  #texture(object: FbxObject): Texture | undefined {
    const image = this.#picture(object);
    if (image === undefined) return undefined;
    const wrap = (name: string) => (this.#objects.number(object, name, 0) === FBX_CLAMP ? CLAMP_TO_EDGE : undefined);
    const [wrapS, wrapT] = [wrap('WrapModeU'), wrap('WrapModeV')];
    const [du, dv] = numbersIn(object.node, 'ModelUVTranslation') ?? [0, 0];
    const [su, sv] = numbersIn(object.node, 'ModelUVScaling') ?? [1, 1];
    const moved = du !== 0 || dv !== 0 || su !== 1 || sv !== 1;
    return {
      image,
      uvSet: this.#objects.number(object, 'pelt|UVSet', 0) === 1 ? 1 : 0,
      ...(wrapS && { wrapS }),
      ...(wrapT && { wrapT }),
      // The v axis points the other way.
      ...(moved && { transform: { offset: [du, 1 - sv - dv] as const, rotation: 0, scale: [su, sv] as const } }),
    };
  }

  #picture(texture: FbxObject): number | undefined {
    const video = this.#objects.childrenOf(texture, 'Video')[0]?.object;
    const owner = video ?? texture;
    const known = this.#pictures.get(owner);
    if (known !== undefined) return known < 0 ? undefined : known;
    const path =
      textIn(owner.node, 'RelativeFilename') || textIn(owner.node, 'Filename') || textIn(texture.node, 'FileName');
    const bytes = (video && contentOf(video)) ?? this.#beside(path);
    const mimeType = bytes && mimeTypeOf(bytes);
    if (!bytes || !mimeType) {
      const why = bytes ? 'is of a type that glTF does not have' : 'is not found';
      this.#warnings.add(`the picture '${baseName(path).slice(0, 80)}' ${why}; textures without it`);
      this.#pictures.set(owner, -1);
      return undefined;
    }
    this.images.push({ name: baseName(path).replace(/\.\w+$/, '') || texture.name, mimeType, bytes });
    this.#pictures.set(owner, this.images.length - 1);
    return this.images.length - 1;
  }

  #beside(path: string): Uint8Array | undefined {
    const relative = relativePath(path);
    const found = (relative && this.#resolve?.(relative)) || this.#resolve?.(baseName(path));
    return found && found.length > 0 ? found : undefined;
  }
}

/** A picture inside of the file, as bytes or as text in base 64. */
function contentOf({ node }: FbxObject): Uint8Array | undefined {
  const values = childNamed(node, 'Content')?.values ?? [];
  const [first] = values;
  if (first instanceof Uint8Array) return first.length > 0 ? first : undefined;
  const text = values.filter((value) => typeof value === 'string').join('');
  try {
    const decoded = atob(text);
    return decoded.length > 0 ? Uint8Array.from(decoded, (letter) => letter.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
