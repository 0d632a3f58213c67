import { Random } from '@pelt/math';
import { imagesOf } from '@pelt/pack';
import { characterAsset } from '@pelt/testkit';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readGlbContainer, writeGlbContainer } from '../../../io/src/gltf/glb-container.ts';
import { meanSimilarity } from '../../src/reduce/similarity.ts';
import { smallerTextures } from '../../src/reduce/textures.ts';

/** A character with an image of 96 × 64 texels beside what it has, as PNG: gradients with a little noise. */
async function textured(): Promise<Uint8Array> {
  const random = new Random(1);
  const pixels = Uint8Array.from(
    { length: 96 * 64 * 3 },
    (_, k) => 60 + ((k / 3) % 96) + 40 * (k % 3) + 6 * random.uniform(),
  );
  const png = await sharp(pixels, { raw: { width: 96, height: 64, channels: 3 } })
    .png()
    .toBuffer();
  const { json, binary = new Uint8Array(0) } = readGlbContainer(characterAsset());
  const document = JSON.parse(new TextDecoder().decode(json));
  const whole = new Uint8Array(Math.ceil(binary.length / 4) * 4 + png.length);
  whole.set(binary);
  whole.set(png, whole.length - png.length);
  const bufferView = document.bufferViews.length;
  document.bufferViews.push({ buffer: 0, byteOffset: whole.length - png.length, byteLength: png.length });
  document.images = [...(document.images ?? []), { bufferView, mimeType: 'image/png' }];
  document.textures = [...(document.textures ?? []), { source: document.images.length - 1 }];
  document.buffers[0].byteLength = whole.length;
  return writeGlbContainer(new TextEncoder().encode(JSON.stringify(document)), whole);
}

it('encodes images as WebP that look the same, no larger than asked for', async () => {
  const bytes = await textured();
  const last = imagesOf(bytes).size - 1;
  const { bytes: small, figures } = await smallerTextures(bytes, 48);
  expect(figures.encoded).toBeGreaterThan(0);
  expect(figures.similarity).toBeGreaterThanOrEqual(0.98);
  const image = imagesOf(small).get(last);
  expect(image?.mimeType).toBe('image/webp');
  const { width, height, format } = await sharp(image?.bytes).metadata();
  expect([width, height, format]).toEqual([48, 32, 'webp']);
  const { json } = readGlbContainer(small);
  const document = JSON.parse(new TextDecoder().decode(json));
  expect(document.extensionsRequired).toContain('EXT_texture_webp');
  expect(document.textures.at(-1)).toEqual({ extensions: { EXT_texture_webp: { source: last } } });
  expect(small.length).toBeLessThan(bytes.length);
});

it('leaves images that would not be half as large', async () => {
  const bytes = await textured();
  const once = await smallerTextures(bytes, undefined);
  const twice = await smallerTextures(once.bytes, undefined);
  expect(twice.figures.encoded).toBe(0);
  expect(twice.bytes).toEqual(once.bytes);
});

it('finds no difference between an image and itself, and much in noise', () => {
  const random = new Random(2);
  const a = Uint8Array.from({ length: 4 * 20 * 20 }, () => 256 * random.uniform());
  const b = Uint8Array.from({ length: 4 * 20 * 20 }, () => 256 * random.uniform());
  expect(meanSimilarity(a, a, 20, 20)).toBeCloseTo(1, 12);
  expect(meanSimilarity(a, b, 20, 20)).toBeLessThan(0.2);
  // Smaller than a window.
  expect(meanSimilarity(a, a, 2, 2)).toBeCloseTo(1, 12);
});
