/** Vertex animation textures, decoded as the shaders of the layout do: the texel of the second UVs, one row down per frame. */
import { inflateSync } from 'node:zlib';
import { frameAt, type MeshSequence, vertexCount } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { FloatType } from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { describe, expect, it } from 'vitest';
import { readGltf, writeVat } from '../../src/index.ts';
import { pictureFault } from '../../src/picture-fault.ts';
import { sheet } from '../gltf/models.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  /** height × width × 3, from the top row, from 0 to 1 */
  readonly values: Float64Array;
}

function readPng16(bytes: Uint8Array): Picture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  expect([...bytes.subarray(24, 26)]).toEqual([16, 2]);
  const rows = inflateSync(bytes.subarray(41, 41 + view.getUint32(33)));
  const row = 6 * width;
  const raw = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    expect(rows[y * (row + 1)]).toBe(2);
    for (let k = 0; k < row; k++) {
      raw[y * row + k] = rows[y * (row + 1) + 1 + k] + (y > 0 ? raw[(y - 1) * row + k] : 0);
    }
  }
  const values = Float64Array.from(
    { length: 3 * width * height },
    (_, k) => (256 * raw[2 * k] + raw[2 * k + 1]) / 65535,
  );
  return { width, height, values };
}

function readExr(bytes: Uint8Array): Picture {
  const { width, height, data } = new EXRLoader().setDataType(FloatType).parse(bytes.slice().buffer) as {
    width: number;
    height: number;
    data: Float32Array;
  };
  // The loader gives rows from the bottom, of four channels.
  const values = new Float64Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) values[3 * (y * width + x) + c] = data[4 * ((height - 1 - y) * width + x) + c];
    }
  }
  return { width, height, values };
}

/** Largest distance of decoded positions, and of normals, along any axis. */
async function decoded(sequence: MeshSequence, encoding: 'png' | 'exr') {
  const { files, width, height } = await writeVat(sequence, { encoding, name: 'x' });
  const [glb, picture, json] = files.map(({ bytes }) => bytes);
  const image = encoding === 'png' ? readPng16(picture) : readExr(picture);
  expect([image.width, image.height]).toEqual([width, height]);
  const remap = JSON.parse(new TextDecoder().decode(json));
  const { Min, Max, Frames } = remap['os-remap'];
  const { mesh } = await readGltf(glb);
  const S = sequence.times.length;
  expect(Frames).toBe(S);
  expect(vertexCount(mesh)).toBe(vertexCount(sequence.rest));
  const uvs = mesh.uvs2?.values as Float32Array;
  let [worst, crooked] = [0, 0];
  for (let t = 0; t < S; t++) {
    const frame = frameAt(sequence, t);
    for (let i = 0; i < vertexCount(mesh); i++) {
      const texel = (v: number) => 3 * (Math.floor(v * height) * width + Math.floor(uvs[2 * i] * width));
      const at = texel(uvs[2 * i + 1] + t / height);
      const [r, g, b] = [0, 1, 2].map((c) => Min[c] + image.values[at + c] * (Max[c] - Min[c]));
      [r, b, -g].forEach((offset, d) => {
        worst = Math.max(worst, Math.abs(mesh.positions[3 * i + d] + offset - frame[3 * i + d]));
      });
      const below = texel(uvs[2 * i + 1] + t / height + 0.5);
      const normal = [0, 1, 2].map((c) => 2 * image.values[below + c] - 1);
      crooked = Math.max(crooked, Math.abs(Math.hypot(...normal) - 1));
    }
  }
  const span = Math.max(...Max.map((value: number, c: number) => value - Min[c]));
  return { worst, crooked, span, remap, width, height };
}

describe('writeVat', () => {
  it('is the rest pose where nothing moves', async () => {
    const rest = sheet(2, 2, 1, 1);
    const still = { name: 'still', rest, frames: rest.positions.slice(), times: Float64Array.of(0) };
    const { worst, span, remap } = await decoded(still, 'png');
    expect([worst, span]).toEqual([0, 0]);
    expect(remap['os-remap']).toEqual({ Min: [0, 0, 0], Max: [0, 0, 0], Frames: 1 });
    expect(remap.animations.still).toMatchObject({ startFrame: 0, endFrame: 0 });
  });

  it.each(['png', 'exr'] as const)('gives the positions of every frame back from %s', async (encoding) => {
    const { worst, crooked, span } = await decoded(elbowScene().sequence, encoding);
    // Half of a level of 16 bits, or of a float; the rest is the rounding of positions.
    expect(worst).toBeLessThanOrEqual((encoding === 'png' ? 0.5 / 65535 : 1e-7) * span + 1e-6 * span);
    expect(crooked).toBeLessThanOrEqual(encoding === 'png' ? 1e-4 : 1e-6);
  });

  it.each([1e6, 1e-6])('does so at %d times the size', async (scale) => {
    const { sequence } = elbowScene();
    const rest = { ...sequence.rest, positions: sequence.rest.positions.map((value) => value * scale) };
    const { worst, span } = await decoded(
      { ...sequence, rest, frames: sequence.frames.map((value) => value * scale) },
      'png',
    );
    expect(worst).toBeLessThanOrEqual((0.5 / 65535 + 1e-6) * span);
  });

  it('goes on in a band below where vertices are more than columns', async () => {
    const rest = sheet(120, 90, 1, 1);
    const S = 40;
    const frames = new Float32Array(S * rest.positions.length);
    for (let k = 0; k < frames.length; k++) frames[k] = rest.positions[k % rest.positions.length] + Math.sin(k) / 10;
    const times = Float64Array.from({ length: S }, (_, t) => t / 25);
    const { worst, span, width, height, remap } = await decoded({ name: '', rest, frames, times }, 'png');
    expect(vertexCount(rest)).toBeGreaterThan(width);
    expect([width, height].every((side) => Math.log2(side) % 1 === 0)).toBe(true);
    expect(worst).toBeLessThanOrEqual((0.5 / 65535 + 1e-5) * span);
    expect(remap.animations['clip-0']).toMatchObject({ endFrame: S - 1, looping: true });
    expect(remap.animations['clip-0'].framerate).toBeCloseTo(25, 6);
  });

  it('writes a PNG whose checksums are right, and lists clips', async () => {
    const { sequence } = elbowScene();
    const half = Math.floor(sequence.times.length / 2);
    const clips = [
      { name: 'a', times: sequence.times.slice(0, half) },
      { name: 'b', times: sequence.times.slice(half) },
    ];
    const { files } = await writeVat(sequence, { clips });
    expect(pictureFault(files[1].bytes, 'image/png')).toBeUndefined();
    const { animations } = JSON.parse(new TextDecoder().decode(files[2].bytes));
    expect(animations.b).toMatchObject({ startFrame: half, endFrame: sequence.times.length - 1 });
  });

  it('says how many frames fit where they do not', async () => {
    const rest = sheet(3, 3, 1, 1);
    const S = 5000;
    const frames = new Float32Array(S * rest.positions.length);
    const times = Float64Array.from({ length: S }, (_, t) => t);
    await expect(writeVat({ name: '', rest, frames, times })).rejects.toThrow(/at most 4096 frames by --sample/);
  });
});
