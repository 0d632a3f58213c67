/**
 * Virtual bones of a galloping horse: what they lose as ordinary joints, how fast they are while the bones stay live, and
 * what as many bytes would buy in rigid bones of a baked clip.
 */
import { readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import {
  bakeVirtualBones,
  decompose,
  deformLinear,
  deformTwoLayer,
  linearSequenceErrors,
  reduceTwoLayer,
  virtualCount,
} from '@pelt/skin';
import { SETTLED } from './models.mjs';

const DATA = 'horse-gallop';
const BONES = 30;
/** Virtual bones that a file may hold beside as many rigid ones. */
const IN_A_FILE = 60;

export async function virtualBones(context, numerics, models) {
  if (!context.wants('virtual bones')) return [];
  const { input } = models.get(DATA, BONES, 'dense', SETTLED);
  context.log('virtual bones');
  const { skin, error } = reduceTwoLayer(input, {}, { numerics });
  const place = `${DATA} ${BONES} bones, ${virtualCount(skin)} virtual bones`;
  return [
    {
      case: place,
      metric: 'as joints with translation, rotation and scale',
      value: (await asJoints(input, skin)).eRms,
      unit: 'E_RMS',
      reference: error.eRms,
      referenceName: 'as matrices',
      target: 'ratio <= 1.005',
    },
    evaluation(context, place, input, skin),
    ...(await inAFile(context, numerics, input)),
  ];
}

/** Errors of the file as it is read back. */
async function asJoints({ rig, clips, examples }, skin) {
  const baked = bakeVirtualBones({ rig, clips, skin }, { masters: 'drop' });
  const file = await writeSkinnedGlb(baked, { normals: false });
  return { ...(await errorsOf(file, examples[0])), bytes: file.bytes.length };
}

async function errorsOf(file, sequence) {
  const { rig, clips } = readRig(await readGltf(file.bytes, { name: 'horse.glb' }));
  const back = new Float32Array(sequence.rest.positions.length);
  const { slots } = rig.weights;
  const weights = {
    slots,
    bones: new Uint16Array((back.length / 3) * slots),
    weights: new Float32Array((back.length / 3) * slots),
  };
  file.vertexMap.forEach((i, v) => {
    back.set(rig.mesh.positions.subarray(3 * v, 3 * v + 3), 3 * i);
    weights.bones.set(rig.weights.bones.subarray(v * slots, (v + 1) * slots), i * slots);
    weights.weights.set(rig.weights.weights.subarray(v * slots, (v + 1) * slots), i * slots);
  });
  return linearSequenceErrors({
    sequence,
    rig: { ...rig, mesh: { ...rig.mesh, positions: back }, weights },
    clip: clips[0],
  });
}

/** On the CPU, beside dense skinning of the same model. */
function evaluation(context, place, { rig, clips }, skin) {
  const pose = clips[0].transforms.subarray(0, rig.bones.length * 12);
  const virtual = new Float64Array(virtualCount(skin) * 12);
  const out = new Float32Array(rig.mesh.positions.length);
  const times = context.compareTimes(
    () => deformTwoLayer(rig.mesh.positions, skin, pose, virtual, out),
    () => deformLinear(rig.mesh.positions, rig.weights, pose, out),
  );
  return {
    case: place,
    metric: 'evaluation',
    ...times,
    unit: 'ms',
    referenceName: 'dense skinning',
    target: 'ratio <= 0.5',
  };
}

/** A baked clip: virtual bones, and as many rigid ones with four weights. */
async function inAFile(context, numerics, input) {
  context.log(`${IN_A_FILE} bones in a file`);
  const sequence = input.examples[0];
  const { skin } = reduceTwoLayer(input, { virtual: IN_A_FILE }, { numerics });
  const virtual = await asJoints(input, skin);
  const { rig, clip } = decompose(sequence, { bones: IN_A_FILE }, { numerics });
  const file = await writeSkinnedGlb({ rig, clips: [clip] }, { normals: false });
  const place = `${DATA}, a file of ${IN_A_FILE} bones`;
  return [
    {
      case: place,
      metric: 'rigid bones',
      value: (await errorsOf(file, sequence)).eRms,
      unit: 'E_RMS',
      reference: virtual.eRms,
      referenceName: 'virtual bones',
    },
    {
      case: place,
      metric: 'size with rigid bones',
      value: file.bytes.length / 1024,
      unit: 'KB',
      reference: virtual.bytes / 1024,
      referenceName: 'virtual bones',
    },
  ];
}
