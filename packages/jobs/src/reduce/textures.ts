/**
 * `--textures`: images as WebP, no larger than a target shows them, in as few bytes as leave them looking the same.
 *
 * The quality is searched by structural similarity (Wang, Bovik, Sheikh, Simoncelli. Image quality assessment. 2004) of
 * the encoded image to the resized one. An image that would not become half as large stays as it is, unless it is resized.
 *
 * Codecs are those of sharp, an optional package: it decodes and encodes all formats of glTF and resizes well, but is
 * native and several times as large as pelt, so that only those who re-encode images install it.
 */
import { UnsupportedError } from '@pelt/model';
import { type GlbImage, imagesOf, replaceImages } from '@pelt/pack';
import type { Sharp, SharpOptions } from 'sharp';
import { meanSimilarity } from './similarity.ts';

export interface TextureFigures {
  readonly images: number;
  /** Those that were encoded again, with their bytes before and after and the least similarity. */
  readonly encoded: number;
  readonly before: number;
  readonly after: number;
  readonly similarity: number;
}

/** Similarity that an encoded image keeps, and the share of its bytes that is worth another format. */
const [LEAST_SIMILARITY, WORTH] = [0.98, 0.5];
const [LEAST_QUALITY, MOST_QUALITY] = [20, 98];

type SharpFactory = (bytes: Uint8Array, options?: SharpOptions) => Sharp;

const PACKAGE: string = 'sharp';

/** @param mostTexels  of the longer side; absent: as they are */
export async function smallerTextures(
  bytes: Uint8Array,
  mostTexels: number | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly figures: TextureFigures }> {
  const images = imagesOf(bytes);
  const open = await loadSharp();
  const smaller = new Map<number, GlbImage>();
  let [before, after, least] = [0, 0, 1];
  for (const [k, image] of images) {
    const found = await encoded(image, mostTexels, open);
    if (!found) continue;
    smaller.set(k, { bytes: found.bytes, mimeType: 'image/webp' });
    before += image.bytes.length;
    after += found.bytes.length;
    least = Math.min(least, found.similarity);
  }
  const figures = { images: images.size, encoded: smaller.size, before, after, similarity: least };
  return { bytes: smaller.size > 0 ? replaceImages(bytes, smaller) : bytes, figures };
}

async function loadSharp(): Promise<SharpFactory> {
  try {
    // By a variable, so that bundlers leave it to whoever has installed it.
    const { default: sharp } = (await import(/* @vite-ignore */ PACKAGE)) as { default: SharpFactory };
    return sharp;
  } catch (error) {
    throw new UnsupportedError('--textures needs the package sharp, which is not installed: npm install sharp', {
      cause: error,
    });
  }
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly similarity: number;
}

async function encoded(
  image: GlbImage,
  mostTexels: number | undefined,
  open: SharpFactory,
): Promise<Encoded | undefined> {
  if (!/^image\/(png|jpeg|webp)$/.test(image.mimeType)) return undefined;
  const { width = 0, height = 0 } = await open(image.bytes).metadata();
  const resized = mostTexels !== undefined && Math.max(width, height) > mostTexels;
  const size = resized ? { width: mostTexels, height: mostTexels, fit: 'inside' as const } : undefined;
  const shown = size ? open(image.bytes).resize(size) : open(image.bytes);
  const { data, info } = await shown.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 4 } as const;
  const at = async (quality: number): Promise<Encoded> => {
    const out = await open(data, { raw }).webp({ quality, smartSubsample: true, effort: 5 }).toBuffer();
    const back = await open(out).ensureAlpha().raw().toBuffer();
    return { bytes: out, similarity: meanSimilarity(data, back, info.width, info.height) };
  };
  let best = await at(MOST_QUALITY);
  let [low, high] = [LEAST_QUALITY - 1, MOST_QUALITY];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = await at(middle);
    if (found.similarity >= LEAST_SIMILARITY) [high, best] = [middle, found];
    else low = middle;
  }
  if (best.similarity < LEAST_SIMILARITY) return undefined;
  return best.bytes.length <= (resized ? 1 : WORTH) * image.bytes.length ? best : undefined;
}
