import { writeGlb } from '@pelt/io';
import { imagesOf, replaceImages } from '@pelt/pack';

const mesh = { name: 'one', positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
const images = [{ name: 'dot', mimeType: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3) }];
const { bytes } = await writeGlb({
  mesh: { ...mesh, images, materials: [{ baseColorTexture: { image: 0 } }] } as never,
});

// Whatever makes an image smaller: here nothing does, and another one takes its place.
const smaller = new Map([...imagesOf(bytes)].map(([k]) => [k, { bytes: Uint8Array.of(1, 2), mimeType: 'image/webp' }]));
const other = replaceImages(bytes, smaller);
if (smaller.size > 0 && imagesOf(other).get(0)?.bytes.length !== 2) throw new Error('the image is not there');
