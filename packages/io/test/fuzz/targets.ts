/** Every reader, with good files that the project itself makes, and the ways to change them. */
import { validateMesh, validateMeshSequence, validateMotion, validateSkeletonMotion } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { isBinaryFbx } from '../../src/fbx/read-binary.ts';
import {
  bakeSequence,
  fbxToGlb,
  glbToFbx,
  glbToUsda,
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
  usdToGlb,
  writeMdd,
  writePc2,
  writePly,
  writeSkinnedGlb,
} from '../../src/index.ts';
import { readUsda } from '../../src/usd/read/read-usda.ts';
import { mutateArchive, richArchive } from '../alembic/mutate-archive.ts';
import { asciiFbx } from '../fbx/ascii-fbx.ts';
import { binaryOf, glbOf, jsonOf } from '../gltf/glb-json.ts';
import { randomRig, richSheet } from '../gltf/models.ts';
import { bytesOf, tetrahedron, tetrahedronSequence } from '../meshes.ts';
import { writeCrate } from '../usd/crate-writer.ts';
import { type Mutate, mutateBinary, mutateJson, mutateText } from './mutate.ts';
import { mutateFbx } from './mutate-fbx.ts';

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

/** Gives the ways to change a file; undefined or an error where it is not one that they understand. */
type MutantsOf = (bytes: Uint8Array) => Mutate[];

export interface Target {
  /** Good files. */
  readonly seeds: readonly Uint8Array[];
  readonly mutants: MutantsOf;
  readonly read: (bytes: Uint8Array) => unknown;
  /** How many times longer one input takes than those of other formats. */
  readonly cost?: number;
}

/** The ways to change any file of a format: by what it is made of, and where it is too broken for that, by its bytes. */
export function mutantsOf({ mutants }: Target, bytes: Uint8Array): Mutate[] {
  try {
    return mutants(bytes);
  } catch {
    return [mutateBinary(bytes)];
  }
}

const asText: MutantsOf = (bytes) => [mutateText(new TextDecoder().decode(bytes))];
const asBytes: MutantsOf = (bytes) => [mutateBinary(bytes)];
const asJson: MutantsOf = (bytes) => {
  const text = new TextDecoder().decode(bytes);
  return [mutateText(text), mutateJson(JSON.parse(text), (json) => bytesOf(JSON.stringify(json) ?? ''))];
};
/** The JSON, the binary chunk, and all of it as bytes. */
const asGlb: MutantsOf = (bytes) => {
  const [json, binary] = [jsonOf(bytes), binaryOf(bytes)];
  return [
    mutateJson(json, (changed) => glbOf(changed, binary)),
    (random) => glbOf(json, mutateBinary(binary)(random)),
    mutateBinary(bytes),
  ];
};

const cached = (read: typeof readPc2) => (bytes: Uint8Array) => {
  const cache = read(bytes);
  const positions = new Float32Array(3 * cache.points);
  validateMeshSequence(sequenceFromCache({ name: '', positions, triangles: new Uint32Array(0) }, cache));
};

const useGltf = async (bytes: Uint8Array) => {
  const asset = await readGltf(bytes);
  readRig(asset);
  validateMeshSequence(bakeSequence(asset));
};

/** Text where it is text. */
const asPly: MutantsOf = (bytes) =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 40)).includes('format ascii') ? asText(bytes) : asBytes(bytes);

const TEXTS: Record<string, Target> = {
  OBJ: { seeds: [bytesOf(OBJ)], mutants: asText, read: (bytes) => validateMesh(readObj(bytes)) },
  MTL: {
    seeds: [bytesOf(MTL)],
    mutants: asText,
    read: (bytes) => validateMesh(readObj(bytesOf(OBJ), { resolve: (path) => (path === 'a.mtl' ? bytes : undefined) })),
  },
  BVH: { seeds: [bytesOf(BVH)], mutants: asText, read: (bytes) => validateSkeletonMotion(readBvh(bytes)) },
  Kinect: {
    seeds: [bytesOf(KINECT)],
    mutants: asText,
    read: (bytes) => validateMotion(readMotion(bytes, { fps: 30 })),
  },
  MediaPipe: { seeds: [bytesOf(LANDMARKS)], mutants: asJson, read: (bytes) => validateMotion(readMotion(bytes)) },
  pairs: { seeds: [bytesOf(PAIRS)], mutants: asJson, read: (bytes) => readPairs(bytes, { name: 'pairs.json' }) },
};

const BINARIES: Record<string, Target> = {
  PLY: {
    seeds: (['ascii', 'binary_little_endian', 'binary_big_endian'] as const).map((encoding) =>
      writePly(RICH, { encoding }),
    ),
    mutants: asPly,
    read: (bytes) => validateMesh(readPly(bytes)),
  },
  PC2: { seeds: [writePc2(SEQUENCE)], mutants: asBytes, read: cached(readPc2) },
  MDD: { seeds: [writeMdd(SEQUENCE)], mutants: asBytes, read: cached(readMdd) },
  Alembic: {
    seeds: [richArchive()],
    // What changes an archive by its structure walks it, which only a good one allows.
    mutants: (bytes) => [mutateArchive(richArchive()), mutateBinary(bytes)],
    read: (bytes) => validateMeshSequence(readAlembicSequence(openAlembic(sourceOfBytes(bytes)))),
  },
};

/** What a VRM adds to a GLB; a reader that does not know it may not fall over it. */
const VRM = {
  specVersion: '1.0',
  meta: { name: 'x', authors: ['x'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
  humanoid: { humanBones: { hips: { node: 0 }, spine: { node: 1 }, head: { node: 2 } } },
  expressions: { preset: { happy: { morphTargetBinds: [{ node: 0, index: 0, weight: 1 }] } } },
};

/** All readers by the names of their formats. */
export async function fuzzTargets(): Promise<Record<string, Target>> {
  const { rig, clip } = randomRig({ bones: 3, slots: 5, frames: 2 }, richSheet(3, 3));
  const morphs = { deltas: [new Float32Array(27).fill(0.1)], weights: [Float32Array.of(0, 1)] };
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], morphs });
  const { bytes: packed } = await compressGlb(bytes);
  const [{ bytes: usda }] = await glbToUsda(bytes);
  const json = jsonOf(bytes);
  const vrm = { ...json, extensionsUsed: [...(json.extensionsUsed ?? []), 'VRMC_vrm'], extensions: { VRMC_vrm: VRM } };
  return {
    ...TEXTS,
    ...BINARIES,
    GLB: { seeds: [bytes], mutants: asGlb, read: useGltf },
    'GLB with Meshopt': { seeds: [packed], mutants: asGlb, read: useGltf },
    VRM: { seeds: [glbOf(vrm, binaryOf(bytes))], mutants: asGlb, read: useGltf },
    FBX: {
      seeds: [await glbToFbx(bytes), asciiFbx()],
      mutants: (file) => (isBinaryFbx(file) ? [mutateFbx(file), mutateBinary(file)] : asText(file)),
      read: async (file) => useGltf(await fbxToGlb(file)),
      // Its lists are deflated, and what is read is written as a GLB and read again.
      cost: 5,
    },
    USDA: {
      seeds: [usda],
      mutants: asText,
      read: async (file) => useGltf(await usdToGlb(file)),
      cost: 5,
    },
    USDC: {
      seeds: [writeCrate(readUsda(usda)), writeCrate(readUsda(usda), { packed: true })],
      mutants: asBytes,
      read: async (file) => useGltf(await usdToGlb(file)),
      cost: 5,
    },
  };
}
