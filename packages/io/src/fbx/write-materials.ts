/** Materials as Phong, which every reader of FBX knows, with metal, roughness and the like as properties beside it. */
import type { Image, Material, Texture } from '@pelt/model';
import { linearToSrgb } from '../srgb.ts';
import type { WarningTally } from '../warning-tally.ts';
import { double, int, node } from './write-binary.ts';
import { type FbxDocument, properties } from './write-document.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/ktx2': 'ktx2',
  'image/avif': 'avif',
};
const CLAMP_TO_EDGE = 33071;

export class FbxMaterials {
  readonly #document: FbxDocument;
  readonly #images: readonly Image[];
  readonly #materials: readonly Material[];
  readonly #warnings: WarningTally;
  readonly #written = new Map<number, number>();
  readonly #videos = new Map<number, number>();
  readonly #names = new Set<string>();

  constructor(
    document: FbxDocument,
    { materials, images }: { readonly materials: readonly Material[]; readonly images: readonly Image[] },
    warnings: WarningTally,
  ) {
    this.#document = document;
    this.#materials = materials;
    this.#images = images;
    this.#warnings = warnings;
  }

  /** Its id. */
  material(index: number): number {
    const known = this.#written.get(index);
    if (known !== undefined) return known;
    const id = this.#write(this.#materials[index]);
    this.#written.set(index, id);
    return id;
  }

  #write(material: Material): number {
    const [r, g, b, alpha] = material.baseColor;
    const rgb = (values: readonly number[]) => values.slice(0, 3).map((value) => double(linearToSrgb(value)));
    const color = (name: string, values: readonly number[]) => [name, 'Color', '', 'A', ...rgb(values)] as const;
    const number = (name: string, value: number) => [name, 'Number', '', 'A', double(value)] as const;
    const own = (name: string, value: number) => [`pelt|${name}`, 'Number', '', 'U', double(value)] as const;
    const id = this.#document.add('Material', material.name, 'Material', '', [
      node('Version', [int(102)]),
      node('ShadingModel', ['Phong']),
      node('MultiLayer', [int(0)]),
      properties([
        ['ShadingModel', 'KString', '', '', 'Phong'],
        color('EmissiveColor', material.emissive),
        number('EmissiveFactor', 1),
        color('AmbientColor', [0, 0, 0]),
        color('DiffuseColor', [r, g, b]),
        number('DiffuseFactor', 1),
        color('TransparentColor', [1, 1, 1]),
        number('TransparencyFactor', 1 - alpha),
        number('Opacity', alpha),
        color('SpecularColor', [1, 1, 1]),
        number('SpecularFactor', 0.25),
        // The relation that Blender has between the exponent of Phong and roughness.
        number('ShininessExponent', (10 * (1 - material.roughness)) ** 2),
        number('Shininess', (10 * (1 - material.roughness)) ** 2),
        number('ReflectionFactor', material.metallic),
        own('Metallic', material.metallic),
        own('Roughness', material.roughness),
        own('DoubleSided', material.doubleSided ? 1 : 0),
        own('AlphaMode', material.alphaMode === 'MASK' ? 1 : material.alphaMode === 'BLEND' ? 2 : 0),
      ]),
    ]);
    this.#texture(id, 'DiffuseColor', material.baseColorTexture);
    this.#texture(id, 'NormalMap', material.normalTexture);
    this.#texture(id, 'EmissiveColor', material.emissiveTexture);
    this.#texture(id, 'pelt|MetallicRoughness', material.metallicRoughnessTexture);
    this.#texture(id, 'pelt|Occlusion', material.occlusionTexture);
    if (material.unlit) this.#warnings.add('materials without light are written as lit ones');
    return id;
  }

  #texture(material: number, property: string, texture: Texture | undefined): void {
    if (!texture || !this.#images[texture.image]) return;
    const video = this.#video(texture.image);
    const { name } = this.#images[texture.image];
    const [du, dv] = texture.transform?.offset ?? [0, 0];
    const [su, sv] = texture.transform?.scale ?? [1, 1];
    if (texture.transform?.rotation) this.#warnings.add('textures that are turned are written as if they were not');
    const wrap = (mode: number | undefined) => (mode === CLAMP_TO_EDGE ? 1 : 0);
    const file = this.#fileName(texture.image);
    const id = this.#document.add('Texture', name || `texture ${texture.image}`, 'Texture', '', [
      node('Type', ['TextureVideoClip']),
      node('Version', [int(202)]),
      node('TextureName', [`${name}\0\x01Texture`]),
      properties([
        ['WrapModeU', 'enum', '', '', int(wrap(texture.wrapS))],
        ['WrapModeV', 'enum', '', '', int(wrap(texture.wrapT))],
        ['UVSet', 'KString', '', '', `UVMap${texture.uvSet}`],
        ['pelt|UVSet', 'int', 'Integer', 'U', int(texture.uvSet)],
        ['UseMaterial', 'bool', '', '', int(1)],
      ]),
      node('Media', [`${name}\0\x01Video`]),
      node('FileName', [file]),
      node('RelativeFilename', [file]),
      // The v axis points the other way.
      node('ModelUVTranslation', [double(du), double(1 - sv - dv)]),
      node('ModelUVScaling', [double(su), double(sv)]),
      node('Texture_Alpha_Source', ['None']),
      node('Cropping', [int(0), int(0), int(0), int(0)]),
    ]);
    this.#document.connect(video, id);
    this.#document.connect(id, material, property);
  }

  #video(index: number): number {
    const known = this.#videos.get(index);
    if (known !== undefined) return known;
    const { name, bytes } = this.#images[index];
    const file = this.#fileName(index);
    const id = this.#document.add('Video', name || `texture ${index}`, 'Video', 'Clip', [
      node('Type', ['Clip']),
      properties([['Path', 'KString', 'XRefUrl', '', file]]),
      node('UseMipMap', [int(0)]),
      node('Filename', [file]),
      node('RelativeFilename', [file]),
      node('Content', [bytes]),
    ]);
    this.#videos.set(index, id);
    return id;
  }

  readonly #files = new Map<number, string>();

  /** A name of its own for each picture: some readers tell them apart by nothing else. */
  #fileName(index: number): string {
    const known = this.#files.get(index);
    if (known) return known;
    const { name, mimeType } = this.#images[index];
    const stem = name.replace(/[^\w. -]/g, '_').replace(/\.(png|jpe?g|webp)$/i, '') || `texture-${index}`;
    let file = `${stem}.${EXTENSIONS[mimeType] ?? 'bin'}`;
    for (let k = 2; this.#names.has(file); k++) file = `${stem}-${k}.${EXTENSIONS[mimeType] ?? 'bin'}`;
    this.#names.add(file);
    this.#files.set(index, file);
    return file;
  }
}
