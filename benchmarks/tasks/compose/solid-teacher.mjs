/**
 * `pelt envelope MESH --rig RIG --teacher volume`: how near the skin of the written file comes to the solid in poses that
 * it did not learn from, beside linear blending and dual quaternions by the same weights; what that costs, and how long a
 * pose takes beside plain skinning.
 */

import { readEnvelope, readGltf, writeObj, writeSkinnedGlb } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { LinearBlend } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';
import { createReducedDeformer } from '@pelt/skin';
import { needs, solidCharacter } from './solid-characters.mjs';

export { needs };

export async function measure(context) {
  const rows = [];
  for (const name of ['hand', 'armadillo']) {
    const title = `${name} learns from its solid`;
    if (!context.wants(title)) continue;
    context.log(title);
    rows.push(...(await measureOne(context, name, title)));
  }
  return rows;
}

async function measureOne(context, name, title) {
  const { mesh, bones, clip } = solidCharacter(context, name);
  // A skeleton without weights of this mesh: a triangle somewhere.
  const token = {
    name: 'token',
    mesh: { name: 'token', positions: mesh.positions.slice(0, 9), triangles: Uint32Array.of(0, 1, 2) },
    bones,
    weights: { slots: 1, bones: new Uint16Array(3), weights: new Float32Array(3).fill(1) },
  };
  const files = new MemoryFiles({
    'mesh.obj': writeObj(mesh)[0].bytes,
    'rig.glb': (await writeSkinnedGlb({ rig: token, clips: [clip] })).bytes,
  });
  const outputs = new MemoryOutputs();
  const options = { rig: 'rig.glb', teacher: 'volume' };
  const request = { command: 'envelope', inputs: ['mesh.obj'], output: 'out.glb', options };
  const started = process.cpuUsage();
  const { taught } = await runJob(request, { files, outputs, threads: 1 });
  const { user, system } = process.cpuUsage(started);
  const { learnt, linear, dualQuaternion } = taught.leftOut;
  const time = await timeOf(context, outputs.files.get('out.glb'), clip, bones.length);
  const row = { case: title };
  const error = { ...row, value: (100 * learnt) / sizeOf(mesh), unit: '% of the diagonal' };
  const beside = (rival) => (100 * rival) / sizeOf(mesh);
  return [
    {
      ...error,
      metric: 'error on poses left out',
      reference: beside(linear),
      referenceName: 'linear blending',
      target: 'ratio <= 0.25',
    },
    {
      ...error,
      metric: 'error beside dual quaternions',
      reference: beside(dualQuaternion),
      referenceName: 'dual quaternions',
      target: 'ratio <= 0.35',
    },
    {
      ...row,
      metric: 'processor time, filling to file',
      value: (user + system) / 1e6,
      unit: 's',
      target: 'value <= 240',
    },
    {
      ...row,
      metric: `a pose, ${mesh.positions.length / 3} vertices`,
      ...time,
      unit: 'ms',
      referenceName: 'linear blending',
      target: 'ratio <= 1.3',
    },
  ];
}

/** Milliseconds of a pose, of the written skin and of linear blending with its four weights. */
async function timeOf(context, bytes, clip, m) {
  const envelope = readEnvelope(await readGltf(bytes, { name: 'out.glb' }));
  const numerics = await openNumerics({ threads: 1 });
  try {
    const { rig } = envelope;
    const deformer = createReducedDeformer(envelope, {}, { numerics });
    const plain = new LinearBlend(numerics, rig.mesh.positions, rig.weights.bones, rig.weights.weights, m);
    const out = new Float32Array(rig.mesh.positions.length);
    const pose = clip.transforms.slice(12 * m * 3, 12 * m * 4);
    return context.compareTimes(
      () => deformer.deform(pose, out),
      () => out.set(plain.pose(pose)),
    );
  } finally {
    numerics.close();
  }
}

function sizeOf({ positions }) {
  const spans = [0, 1, 2].map((c) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = c; k < positions.length; k += 3)
      [low, high] = [Math.min(low, positions[k]), Math.max(high, positions[k])];
    return high - low;
  });
  return Math.hypot(...spans);
}
