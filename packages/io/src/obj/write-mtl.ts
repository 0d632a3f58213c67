/** A mesh's materials as an MTL library, with the pictures it names: what of them the format can say. */
import type { Image, Material, Mesh, Texture } from '@pelt/model';
import { baseName, type OutputFile, stemOf } from '../read-options.ts';
import { onOneLine, TextWriter } from '../text-writer.ts';
import type { WarningTally } from '../warning-tally.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
};

/** What materials are called in the file: not empty, on one line, no two the same. */
export function materialNames(materials: readonly Material[]): string[] {
  return uniqueNames(materials.map(({ name }) => fileName(name)));
}

function fileName(name: string): string {
  const plain = onOneLine(name).trim();
  // `(null)` is the format's word for no material.
  return plain === '' || plain === '(null)' ? 'material' : plain;
}

/** @returns the library, then the pictures its materials use */
export function writeMtl(mesh: Mesh, libraryName: string, warnings: WarningTally): OutputFile[] {
  const materials = mesh.materials ?? [];
  const images = mesh.images ?? [];
  const names = materialNames(materials);
  // Some file systems take two names for one that differ in case alone.
  const imageNames = uniqueNames(images.map(imageName), (name) => name.toLowerCase());
  const used = new Set<number>();
  const out = new TextWriter();
  const map = (keyword: string, texture: Texture | undefined, options = '') => {
    if (!texture) return;
    used.add(texture.image);
    out.text(`${keyword} ${options}${transformOptions(texture, warnings)}${imageNames[texture.image]}\n`);
    if (texture.uvSet > 0) warnings.add('a texture uses the second set of UVs, which the format does not have');
  };
  materials.forEach((material, k) => {
    const [red, green, blue, alpha] = material.baseColor;
    out.text(`${k > 0 ? '\n' : ''}newmtl ${names[k]}\n`);
    statement(out, 'Kd', red, green, blue);
    statement(out, 'd', alpha);
    statement(out, 'Pr', material.roughness);
    statement(out, 'Pm', material.metallic);
    if (material.emissive.some((value) => value > 0)) statement(out, 'Ke', ...material.emissive);
    map('map_Kd', material.baseColorTexture);
    if (material.alphaMode !== 'OPAQUE') map('map_d', material.baseColorTexture);
    map('map_Ke', material.emissiveTexture);
    map('norm', material.normalTexture, material.normalScale === 1 ? '' : `-bm ${material.normalScale} `);
    if (material.metallicRoughnessTexture || material.occlusionTexture) {
      warnings.add('textures of metal, roughness and occlusion have no place in the format and are left out');
    }
  });
  const pictures = [...used]
    .sort((a, b) => a - b)
    .map((k) => ({ name: imageNames[k], bytes: new Uint8Array(images[k].bytes) }));
  return [{ name: libraryName, bytes: out.toBytes() }, ...pictures];
}

function statement(out: TextWriter, keyword: string, ...values: number[]): void {
  out.text(`${keyword} ${values.map((value) => String(Number(value.toPrecision(7)))).join(' ')}\n`);
}

/** The model counts v downwards, the file upwards: v' = s·v + o here is s·v + (1 − s − o) there. */
function transformOptions({ transform }: Texture, warnings: WarningTally): string {
  if (!transform) return '';
  if (transform.rotation !== 0) warnings.add('a rotated texture has no place in the format; it is not rotated');
  const [offsetU, offsetV] = transform.offset;
  const [scaleU, scaleV] = transform.scale;
  const [s, o] = [
    [scaleU, scaleV],
    [offsetU, 1 - scaleV - offsetV],
  ].map((pair) => pair.map((value) => Number(value.toPrecision(7))).join(' '));
  return `-s ${s} 1 -o ${o} 0 `;
}

/** A file name that every system takes, with the extension of what it holds. */
function imageName(image: Image): string {
  const stem = stemOf(baseName(image.name)).replace(/[^A-Za-z0-9_-]+/g, '_') || 'texture';
  return stem + (EXTENSIONS[image.mimeType] ?? '.bin');
}

/** The second `skin` becomes `skin_2`. */
function uniqueNames(names: readonly string[], key: (name: string) => string = (name) => name): string[] {
  const uses = new Map<string, number>();
  return names.map((name) => {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    let use = uses.get(key(name)) ?? 0;
    while (uses.has(key(unique))) unique = `${stem}_${++use + 1}${extension}`;
    uses.set(key(name), use);
    if (unique !== name) uses.set(key(unique), 0);
    return unique;
  });
}
