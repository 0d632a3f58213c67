/** Materials as UsdPreviewSurface, with their pictures as files beside the layer. */
import type { Material, Texture } from '@pelt/model';
import type { FileScene } from '../scene/file-scene.ts';
import type { WarningTally } from '../warning-tally.ts';
import { displayName, float, identifier, type Prim, quoted } from './usda-text.ts';
import type { ZipEntry } from './zip-stored.ts';

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };
const WRAPS: Readonly<Record<number, string>> = { 33071: 'clamp', 33648: 'mirror' };

export class UsdMaterials {
  readonly files: ZipEntry[] = [];
  readonly prims: Prim[] = [];
  readonly #scene: FileScene;
  readonly #root: string;
  readonly #warnings: WarningTally;
  readonly #paths = new Map<number, string>();
  readonly #pictures = new Map<number, string | undefined>();
  readonly #names = new Set<string>();
  readonly #fileNames = new Set<string>();

  /** @param root  path of the prim that has them all */
  constructor(scene: FileScene, root: string, warnings: WarningTally) {
    this.#scene = scene;
    this.#root = root;
    this.#warnings = warnings;
  }

  /** Its path. */
  path(index: number): string {
    const known = this.#paths.get(index);
    if (known) return known;
    const material = this.#scene.materials[index];
    const id = identifier(material.name, this.#names, 'material');
    const path = `${this.#root}/${id}`;
    this.#paths.set(index, path);
    this.prims.push(this.#prim(material, id, path));
    return path;
  }

  #prim(material: Material, id: string, path: string): Prim {
    const textures: Prim[] = [];
    const input = (
      name: string,
      type: string,
      value: string,
      texture: Texture | undefined,
      output: string,
      extra: readonly string[] = [],
    ): string => {
      const prim = texture && this.#texture(texture, `${name}_texture`, path, extra);
      if (!prim) return `${type} inputs:${name} = ${value}`;
      textures.push(...prim);
      return `${type} inputs:${name}.connect = <${path}/${name}_texture.outputs:${output}>`;
    };
    const [r, g, b, alpha] = material.baseColor;
    const [er, eg, eb] = material.emissive;
    const scaled = [`float4 inputs:scale = (${[r, g, b, alpha].map(float).join(', ')})`];
    const lit = [`float4 inputs:scale = (${[er, eg, eb].map(float).join(', ')}, 1)`];
    const bumps = [
      'float4 inputs:scale = (2, 2, 2, 1)',
      'float4 inputs:bias = (-1, -1, -1, 0)',
      'token inputs:sourceColorSpace = "raw"',
    ];
    const blends = material.alphaMode !== 'OPAQUE';
    const surface: string[] = [
      'uniform token info:id = "UsdPreviewSurface"',
      input(
        'diffuseColor',
        'color3f',
        `(${[r, g, b].map(float).join(', ')})`,
        material.baseColorTexture,
        'rgb',
        scaled,
      ),
      input(
        'emissiveColor',
        'color3f',
        `(${[er, eg, eb].map(float).join(', ')})`,
        material.emissiveTexture,
        'rgb',
        lit,
      ),
      input('normal', 'normal3f', '(0, 0, 1)', material.normalTexture, 'rgb', bumps),
      ...this.#metal(material, path, textures),
      `float inputs:opacity = ${float(blends ? alpha : 1)}`,
      ...(material.alphaMode === 'MASK' ? [`float inputs:opacityThreshold = ${float(material.alphaCutoff)}`] : []),
      'token outputs:surface',
    ];
    if (blends && textures.some(({ head }) => head.includes('diffuseColor_texture'))) {
      const at = surface.findIndex((line) => line.startsWith('float inputs:opacity ='));
      surface[at] = `float inputs:opacity.connect = <${path}/diffuseColor_texture.outputs:a>`;
    }
    return {
      head: `def Material ${quoted(id)}`,
      metadata: displayName(material.name, id),
      body: [`token outputs:surface.connect = <${path}/surface.outputs:surface>`],
      children: [{ head: 'def Shader "surface"', body: surface }, ...textures],
    };
  }

  /** glTF has metal in the blue channel of a picture, and roughness in the green one. */
  #metal({ metallic, roughness, metallicRoughnessTexture }: Material, path: string, textures: Prim[]): string[] {
    const extra = [
      `float4 inputs:scale = (1, ${float(roughness)}, ${float(metallic)}, 1)`,
      'token inputs:sourceColorSpace = "raw"',
    ];
    const prim = metallicRoughnessTexture && this.#texture(metallicRoughnessTexture, 'metal_texture', path, extra);
    if (!prim) return [`float inputs:metallic = ${float(metallic)}`, `float inputs:roughness = ${float(roughness)}`];
    textures.push(...prim);
    return [
      `float inputs:metallic.connect = <${path}/metal_texture.outputs:b>`,
      `float inputs:roughness.connect = <${path}/metal_texture.outputs:g>`,
    ];
  }

  #texture(texture: Texture, id: string, path: string, extra: readonly string[]): Prim[] | undefined {
    const file = this.#picture(texture.image);
    if (!file) return undefined;
    if (texture.transform) this.#warnings.add('textures that are moved or scaled are written as if they were not');
    const wrap = (mode: number | undefined) => WRAPS[mode ?? 0] ?? 'repeat';
    return [
      {
        head: `def Shader "${id}"`,
        body: [
          'uniform token info:id = "UsdUVTexture"',
          `asset inputs:file = @${file}@`,
          `float2 inputs:st.connect = <${path}/${id}_st.outputs:result>`,
          `token inputs:wrapS = "${wrap(texture.wrapS)}"`,
          `token inputs:wrapT = "${wrap(texture.wrapT)}"`,
          ...extra,
          ...['r', 'g', 'b', 'a'].map((channel) => `float outputs:${channel}`),
          'float3 outputs:rgb',
        ],
      },
      {
        head: `def Shader "${id}_st"`,
        body: [
          'uniform token info:id = "UsdPrimvarReader_float2"',
          `string inputs:varname = "${texture.uvSet === 1 ? 'st1' : 'st'}"`,
          'float2 outputs:result',
        ],
      },
    ];
  }

  #picture(index: number): string | undefined {
    if (this.#pictures.has(index)) return this.#pictures.get(index);
    const { name, mimeType, bytes } = this.#scene.images[index];
    const extension = EXTENSIONS[mimeType];
    const stem = extension && identifier(name, this.#fileNames, `texture_${index}`);
    const file = stem ? `textures/${stem}.${extension}` : undefined;
    if (file) this.files.push({ name: file, bytes });
    else this.#warnings.add(`USDZ holds PNG and JPEG pictures; '${name}' is '${mimeType}' and left out`);
    this.#pictures.set(index, file);
    return file;
  }
}
