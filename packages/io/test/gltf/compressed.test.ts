import { type Document, type Mesh as FileMesh, Logger, WebIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { gatherVertices, poseAt } from '@pelt/model';
import draco3d from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { describe, expect, it } from 'vitest';
import { readGltf, readRig, writeMorphGlb, writeSkinnedGlb } from '../../src/index.ts';
import { blendPose } from './blend-pose.ts';
import { glbOf, jsonOf } from './glb-json.ts';
import { randomRig, richSheet, sheet } from './models.ts';
import { largestDeviation } from './three-player.ts';

const QUIET = new Logger(Logger.Verbosity.SILENT);

async function encoderIO(): Promise<WebIO> {
  await MeshoptEncoder.ready;
  return new WebIO()
    .setLogger(QUIET)
    .registerExtensions([EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization])
    .registerDependencies({
      'meshopt.encoder': MeshoptEncoder,
      'draco3d.encoder': await draco3d.createEncoderModule(),
    });
}

/** One of pelt's own files, packed by others. */
async function packed(glb: Uint8Array, prepare: (document: Document) => void): Promise<Uint8Array> {
  const io = await encoderIO();
  const document = await io.readBinary(glb);
  document.setLogger(QUIET);
  prepare(document);
  return io.writeBinary(document);
}

const { QUANTIZE, FILTER } = EXTMeshoptCompression.EncoderMethod;

function useMeshopt(method: typeof QUANTIZE | typeof FILTER): (document: Document) => void {
  return (document) => {
    document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method });
  };
}

describe('Meshopt', () => {
  it('without filters loses nothing: skin, weights, animation', async () => {
    const { rig, clip } = randomRig({ bones: 6, slots: 6, frames: 7 }, richSheet(8, 8));
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const small = await packed(bytes, useMeshopt(QUANTIZE));
    expect(jsonOf(small).extensionsRequired).toEqual(['EXT_meshopt_compression']);
    const [plain, read] = [await readGltf(bytes), await readGltf(small)];
    expect(read.mesh.positions).toEqual(plain.mesh.positions);
    expect(read.mesh.triangles.length).toBe(plain.mesh.triangles.length);
    expect(read.scene.weights).toEqual(plain.scene.weights);
    const [a, b] = [readRig(plain), readRig(read)];
    expect(b.clips[0].transforms).toEqual(a.clips[0].transforms);
  });

  it('keeps the triangles, each perhaps from another corner', async () => {
    const mesh = sheet(9, 9);
    const { bytes } = await writeMorphGlb({
      name: 'm',
      rest: mesh,
      frames: mesh.positions.map((x) => x + 1),
      times: Float64Array.of(0),
    });
    const { triangles } = (await readGltf(await packed(bytes, useMeshopt(QUANTIZE)))).mesh;
    const canonical = (list: Uint32Array) =>
      Array.from({ length: list.length / 3 }, (_, f) => {
        const [a, b, c] = list.subarray(3 * f, 3 * f + 3);
        const least = Math.min(a, b, c);
        return a === least ? [a, b, c] : b === least ? [b, c, a] : [c, a, b];
      });
    expect(canonical(triangles)).toEqual(canonical(mesh.triangles));
  });

  it('with filters stays near', async () => {
    const { rig, clip } = randomRig({ bones: 4, frames: 5 }, richSheet(8, 8));
    const { bytes, vertexMap } = await writeSkinnedGlb({ rig, clips: [clip] });
    const { rig: back, clips } = readRig(await readGltf(await packed(bytes, useMeshopt(FILTER))));
    for (let t = 0; t < 5; t++) {
      const expected = gatherVertices(blendPose(rig, poseAt(clip, t, 4)), 3, vertexMap);
      expect(largestDeviation(expected, blendPose(back, poseAt(clips[0], t, 4)))).toBeLessThan(5e-3);
    }
  });

  it('is read under its ratified name', async () => {
    const mesh = sheet(9, 9);
    const { bytes } = await writeMorphGlb({ name: 'm', rest: mesh, frames: mesh.positions, times: Float64Array.of(0) });
    const small = await packed(bytes, useMeshopt(QUANTIZE));
    const renamed = JSON.parse(JSON.stringify(jsonOf(small)).replaceAll('EXT_meshopt', 'KHR_meshopt'));
    const view = new DataView(small.buffer, small.byteOffset);
    const glb = glbOf(renamed, small.subarray(28 + view.getUint32(12, true)));
    expect((await readGltf(glb)).mesh.positions).toEqual(mesh.positions);
  });

  it('of nonsense is an error', async () => {
    const mesh = sheet(9, 9);
    const { bytes } = await writeMorphGlb({ name: 'm', rest: mesh, frames: mesh.positions, times: Float64Array.of(0) });
    const small = await packed(bytes, useMeshopt(QUANTIZE));
    const start = 28 + new DataView(small.buffer, small.byteOffset).getUint32(12, true);
    for (const change of [
      (view: { byteStride: number }) => {
        view.byteStride = 3;
      },
      (view: { count: number }) => {
        view.count = 2 ** 32;
      },
      (view: { byteLength: number }) => {
        view.byteLength = 2;
      },
      (view: { mode: string }) => {
        view.mode = 'NONE';
      },
      (view: { buffer: number }) => {
        view.buffer = 1;
      },
    ]) {
      const json = jsonOf(small);
      const packedView = json.bufferViews.find((view: { extensions?: object }) => view.extensions);
      change(packedView.extensions.EXT_meshopt_compression);
      await expect(readGltf(glbOf(json, small.subarray(start)))).rejects.toMatchObject({ name: 'InputError' });
    }
    const noise = small.slice();
    for (let k = start; k < noise.length; k++) noise[k] = (k * 37) & 0xff;
    await expect(readGltf(noise)).rejects.toMatchObject({ name: 'InputError' });
  });
});

describe('Draco', () => {
  const useDraco = (method: 'edgebreaker' | 'sequential') => (document: Document) => {
    document
      .createExtension(KHRDracoMeshCompression)
      .setRequired(true)
      .setEncoderOptions({
        method: KHRDracoMeshCompression.EncoderMethod[method === 'edgebreaker' ? 'EDGEBREAKER' : 'SEQUENTIAL'],
      });
  };

  /** Every point's nearest neighbour in the other list, against the size. */
  function setDistance(a: Float32Array, b: Float32Array): number {
    let most = 0;
    for (let i = 0; i < a.length; i += 3) {
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < b.length; k += 3)
        least = Math.min(least, Math.hypot(a[i] - b[k], a[i + 1] - b[k + 1], a[i + 2] - b[k + 2]));
      most = Math.max(most, least);
    }
    return most;
  }

  it('keeps the order of vertices where it was told to', async () => {
    const { rig, clip } = randomRig({ bones: 4, frames: 3 });
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const small = await packed(bytes, useDraco('sequential'));
    const { rig: back, clips } = readRig(await readGltf(small));
    expect(largestDeviation(rig.mesh.positions, back.mesh.positions)).toBeLessThan(1e-3);
    expect(largestDeviation(blendPose(rig, poseAt(clip, 2, 4)), blendPose(back, poseAt(clips[0], 2, 4)))).toBeLessThan(
      5e-3,
    );
  });

  it('keeps the surface where it sorts the vertices anew', async () => {
    const mesh = richSheet(10, 10);
    const { bytes } = await writeSkinnedGlb({ rig: { ...randomRig({}, mesh).rig }, clips: [] });
    const read = (await readGltf(await packed(bytes, useDraco('edgebreaker')))).mesh;
    expect(read.triangles.length).toBe(mesh.triangles.length);
    expect(setDistance(mesh.positions, read.positions)).toBeLessThan(5e-3);
    expect(read.uvs).toBeDefined();
    expect(read.parts?.map(({ name }) => name)).toEqual(['left', 'right']);
  });

  it('of nonsense is an error, and does not spoil the next file', async () => {
    const { bytes } = await writeSkinnedGlb({ rig: randomRig().rig, clips: [] });
    const small = await packed(bytes, useDraco('edgebreaker'));
    const start = 28 + new DataView(small.buffer, small.byteOffset).getUint32(12, true);
    const breaking = [
      (draco: { attributes: { POSITION: number } }) => {
        draco.attributes.POSITION = 77;
      },
      (draco: { attributes: { POSITION: number } }) => {
        draco.attributes.POSITION = -1;
      },
      (draco: { bufferView: number }) => {
        draco.bufferView = 99;
      },
      (draco: { attributes: { TANGENT?: number } }) => {
        draco.attributes.TANGENT = 1;
      },
    ];
    for (const change of breaking) {
      const json = jsonOf(small);
      change(json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression);
      await expect(readGltf(glbOf(json, small.subarray(start)))).rejects.toMatchObject({ name: 'InputError' });
    }
    const zeros = small.slice();
    zeros.fill(0, start);
    await expect(readGltf(zeros)).rejects.toMatchObject({ name: 'InputError' });
    expect((await readGltf(small)).mesh.triangles.length).toBe(randomRig().rig.mesh.triangles.length);
  });
});

describe('quantisation', () => {
  it('of a skin, with the inverse bind matrices putting it right', async () => {
    const { rig, clip } = randomRig({ bones: 4, frames: 3 });
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const scale = 8;
    const quantised = await packed(bytes, (document) => {
      document.createExtension(KHRMeshQuantization).setRequired(true);
      const [mesh] = document.getRoot().listMeshes() as [FileMesh];
      const position = mesh.listPrimitives()[0].getAttribute('POSITION')!;
      const floats = position.getArray() as Float32Array;
      position.setArray(Int16Array.from(floats, (value) => Math.round((value / scale) * 32767))).setNormalized(true);
      const matrices = document.getRoot().listSkins()[0].getInverseBindMatrices()!;
      // I · diag(scale): the first three columns grow.
      matrices.setArray((matrices.getArray() as Float32Array).map((value, k) => (k % 16 < 12 ? scale * value : value)));
    });
    const { rig: back, clips } = readRig(await readGltf(quantised));
    expect(largestDeviation(rig.mesh.positions, back.mesh.positions)).toBeLessThan(1e-4);
    for (let t = 0; t < 3; t++) {
      expect(
        largestDeviation(blendPose(rig, poseAt(clip, t, 4)), blendPose(back, poseAt(clips[0], t, 4))),
      ).toBeLessThan(1e-4);
    }
    back.bones.forEach(({ rest }, j) => {
      rest.forEach((value, k) => {
        expect(value).toBeCloseTo(rig.bones[j].rest[k], 4);
      });
    });
  });
});
