/**
 * Every reader on mutated files: a valid result or an error of one line, in bounded time and memory, whatever the bytes.
 * Seeded, so that a failure can be run again; `PELT_FUZZ=100000` runs as many inputs per format.
 */
import { Random } from '@pelt/math';
import { PeltError, validateMesh, validateMeshSequence, validateMotion, validateSkeletonMotion } from '@pelt/model';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bakeSequence,
  compressGlb,
  fbxToGlb,
  glbToFbx,
  openAlembic,
  readAlembicSequence,
  readBvh,
  readGltf,
  readMdd,
  readMotion,
  readObj,
  readPairs,
  readPc2,
  readPly,
  readRig,
  sequenceFromCache,
  sourceOfBytes,
  writeMdd,
  writePc2,
  writePly,
  writeSkinnedGlb,
} from '../../src/index.ts';
import { mutateArchive, richArchive } from '../alembic/mutate-archive.ts';
import { asciiFbx } from '../fbx/ascii-fbx.ts';
import { binaryOf, glbOf, jsonOf } from '../gltf/glb-json.ts';
import { randomRig, richSheet } from '../gltf/models.ts';
import { bytesOf, tetrahedron, tetrahedronSequence } from '../meshes.ts';
import { type Mutate, mutateBinary, mutateJson, mutateText } from './mutate.ts';

const INPUTS = Number(process.env.PELT_FUZZ ?? 2000);
const MOST_SECONDS = 2;
const MOST_MEGABYTES = 512;

const OBJ = `mtllib a.mtl\no body # name\nv 0 0 0 1 0.5 0.25\nv 1.5e0 0 0\nv 0 1 0 0.5\nv 0 0 1\nv 1 1 \\\n 1
vt 0 0\nvt 1 0.5\nvn 0 0 1\nusemtl skin\nf 1/1/1 2/2/1 3/1/1\nf -5//1 -4//1 -3//1 -2//1 -1//1\ng b\nf 1 2 4\r\n`;
const MTL = 'newmtl skin\nKd 1 0.5 0\nd 0.5\nmap_Kd -s 1 2 -bm 1 skin.png\nnorm n.png\n';
const BVH = `HIERARCHY\nROOT hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT knee\n {\n  OFFSET 0 -0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -0.5 0\n  }\n }\n}
MOTION\nFrames: 2\nFrame Time: 0.033\n0 1 0 0 0 0 10 20 30\n0 1.1 0 5 6 7 1 2 3\n`;
const KINECT = Array.from({ length: 40 }, (_, k) => `${Math.sin(k)} ${Math.cos(k)} 2 1`).join('\n');
const LANDMARKS = JSON.stringify({
  fps: 30,
  frames: [0, 1].map((t) => ({
    time: t / 30,
    worldLandmarks: Array.from({ length: 33 }, (_, k) => ({ x: Math.sin(k + t), y: Math.cos(k), z: 0, visibility: 1 })),
  })),
});
const PAIRS = JSON.stringify({
  format: 'pelt-pairs',
  version: 1,
  neutral: 'rest',
  pairs: [
    { name: 'rest', performer: { time: 0 }, character: { clip: 'walk', time: 0 } },
    {
      name: 'tail',
      performer: { joints: { hips: [1, 2, 3] } },
      character: { bones: { tail: { degrees: [0, 90, 0] } } },
    },
  ],
});
const RICH = {
  ...tetrahedron(),
  normals: { size: 3 as const, values: new Float32Array(12).fill(1) },
  colors: { size: 4 as const, values: new Float32Array(16).fill(0.5) },
};
const SEQUENCE = tetrahedronSequence(
  [0, 1, 2],
  Float32Array.from({ length: 36 }, (_, k) => k / 7),
);

interface Target {
  readonly mutants: readonly Mutate[];
  readonly read: (bytes: Uint8Array) => unknown;
}

const cached = (read: typeof readPc2) => (bytes: Uint8Array) => {
  const cache = read(bytes);
  const positions = new Float32Array(3 * cache.points);
  validateMeshSequence(sequenceFromCache({ name: '', positions, triangles: new Uint32Array(0) }, cache));
};

const targets: Record<string, Target> = {
  OBJ: { mutants: [mutateText(OBJ)], read: (bytes) => validateMesh(readObj(bytes)) },
  MTL: {
    mutants: [mutateText(MTL)],
    read: (bytes) => validateMesh(readObj(bytesOf(OBJ), { resolve: (path) => (path === 'a.mtl' ? bytes : undefined) })),
  },
  PLY: {
    mutants: [
      mutateText(new TextDecoder().decode(writePly(RICH, { encoding: 'ascii' }))),
      mutateBinary(writePly(RICH)),
      mutateBinary(writePly(RICH, { encoding: 'binary_big_endian' })),
    ],
    read: (bytes) => validateMesh(readPly(bytes)),
  },
  PC2: { mutants: [mutateBinary(writePc2(SEQUENCE))], read: cached(readPc2) },
  MDD: { mutants: [mutateBinary(writeMdd(SEQUENCE))], read: cached(readMdd) },
  Alembic: {
    mutants: [mutateArchive(richArchive()), mutateBinary(richArchive())],
    read: (bytes) => validateMeshSequence(readAlembicSequence(openAlembic(sourceOfBytes(bytes)))),
  },
  BVH: { mutants: [mutateText(BVH)], read: (bytes) => validateSkeletonMotion(readBvh(bytes)) },
  Kinect: { mutants: [mutateText(KINECT)], read: (bytes) => validateMotion(readMotion(bytes, { fps: 30 })) },
  MediaPipe: {
    mutants: [mutateText(LANDMARKS), mutateJson(JSON.parse(LANDMARKS), (json) => bytesOf(JSON.stringify(json) ?? ''))],
    read: (bytes) => validateMotion(readMotion(bytes)),
  },
  pairs: {
    mutants: [mutateText(PAIRS), mutateJson(JSON.parse(PAIRS), (json) => bytesOf(JSON.stringify(json) ?? ''))],
    read: (bytes) => readPairs(bytes, { name: 'pairs.json' }),
  },
};

const useGltf = async (bytes: Uint8Array) => {
  const asset = await readGltf(bytes);
  readRig(asset);
  validateMeshSequence(bakeSequence(asset));
};
const gltf: Record<string, Target> = {};

beforeAll(async () => {
  const { rig, clip } = randomRig({ bones: 3, slots: 5, frames: 2 }, richSheet(3, 3));
  const morphs = { deltas: [new Float32Array(27).fill(0.1)], weights: [Float32Array.of(0, 1)] };
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], morphs });
  const { bytes: packed } = await compressGlb(bytes);
  gltf.GLB = {
    mutants: [mutateBinary(bytes), mutateJson(jsonOf(bytes), (json) => glbOf(json, binaryOf(bytes)))],
    read: useGltf,
  };
  gltf.FBX = {
    mutants: [mutateBinary(await glbToFbx(bytes)), mutateText(new TextDecoder().decode(asciiFbx()))],
    read: async (mutant) => useGltf(await fbxToGlb(mutant)),
  };
  gltf['GLB with Meshopt'] = {
    mutants: [
      mutateJson(jsonOf(packed), (json) => glbOf(json, binaryOf(packed))),
      (random) => glbOf(jsonOf(packed), mutateBinary(binaryOf(packed))(random)),
    ],
    read: useGltf,
  };
});

async function fuzz({ mutants, read }: Target): Promise<void> {
  const random = new Random(20_240_229);
  const before = process.resourceUsage().maxRSS;
  let fine = 0;
  for (let k = 0; k < INPUTS; k++) {
    const bytes = mutants[k % mutants.length](random);
    const started = process.cpuUsage();
    try {
      await read(bytes);
      fine++;
    } catch (error) {
      if (!(error instanceof PeltError)) throw new Error(`input ${k}: ${String(error)}`, { cause: error });
      expect(error.message, `input ${k}`).toMatch(/^[^\n]{20,}$/);
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6, `processor seconds of input ${k}`).toBeLessThan(MOST_SECONDS);
  }
  expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(MOST_MEGABYTES);
  // Mutants that are all refused at the first byte would test nothing.
  expect(fine).toBeGreaterThan(INPUTS / 50);
}

describe('mutated files', () => {
  it.each(Object.keys(targets))('%s', (name) => fuzz(targets[name]));
  it.each(['GLB', 'GLB with Meshopt', 'FBX'])('%s', (name) => fuzz(gltf[name]));
});
