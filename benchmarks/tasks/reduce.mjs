/**
 * Weight reduction beside table 3 of the course notes, two-layer evaluation beside dense skinning, and the bytes of a
 * compressed clip.
 *
 * The one-layer columns of the table depend on the dense model that they start from: here it is a decomposition of 25
 * rounds. Dense and two-layer rows start from a converged one.
 */
import { readFileSync } from 'node:fs';
import {
  bakeSequence,
  compressGlb,
  readGltf,
  readObj,
  readPc2,
  sequenceFromCache,
  writeMorphGlb,
  writeSkinnedGlb,
} from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { frameAt, SequenceErrorMeter } from '@pelt/model';
import {
  decompose,
  deformLinear,
  deformTwoLayer,
  findLoop,
  reduceTwoLayer,
  reduceWeights,
  roundWeights,
  virtualCount,
} from '@pelt/skin';

const TABLE = 'Le, Deng 2014, table 3';
/** Rounds of the dense models that one-layer methods start from, and of those that are compared themselves. */
const EARLY = 25;
const CONVERGED = 120;

const PUBLISHED = [
  row('horse-gallop', 15, 8, 4, [9.5, 10.3, 2.6, 7, 8.2, 2.3]),
  row('horse-gallop', 15, 'dense', 4, [20.7, 23.5, 2.4, 10.1, 11.5, 2], 1.9),
  row('horse-gallop', 15, 'dense', 8, [5.9, 6.9, 1.9, 3.9, 4.7, 1.9]),
  row('horse-gallop', 30, 8, 4, [5.4, 5.7, 1.2, 3.8, 4.5, 1]),
  row('horse-gallop', 30, 'dense', 4, [18.1, 20.8, 3.4, 12.3, 14.7, 1.6], 0.5),
  row('horse-gallop', 30, 'dense', 8, [9.6, 11.6, 1.6, 5.3, 6.7, 0.8]),
  row('elephant-gallop', 15, 8, 4, [11.5, 13.8, 2.1, 9.1, 12.4, 1.9]),
  row('elephant-gallop', 15, 'dense', 4, [18.7, 21.2, 1.8, 13.7, 16.9, 1.6], 1.6),
  row('elephant-gallop', 15, 'dense', 8, [9, 10.9, 1.7, 5.2, 7.1, 1.6]),
  row('elephant-gallop', 30, 8, 4, [4.5, 5.4, 1, 3.3, 4.8, 0.8]),
  row('elephant-gallop', 30, 'dense', 4, [13, 15.2, 1.5, 9.1, 11.3, 0.7], 0.4),
  row('elephant-gallop', 30, 'dense', 8, [6.6, 8.3, 0.7, 4.2, 5.8, 0.5]),
  // Its rest pose may differ from the paper's: reported without a target.
  row('samba', 10, 'dense', 4, [11.8, 12.7, 4.8, 10.5, 11.6, 4.7], 4.8),
  row('samba', 20, 'dense', 4, [7.6, 8.3, 2.4, 6.8, 7.6, 2], 1.9),
];

export default {
  name: 'reduce',
  needs: ['horse-gallop', 'elephant-gallop', 'samba'].flatMap((name) => [`${name}/rest.obj`, `${name}/clip.pc2`]),
  async run(context) {
    const numerics = await openNumerics({ threads: 2 });
    try {
      const rows = [];
      for (const name of new Set(PUBLISHED.map(({ dataset }) => dataset))) {
        const counts = new Set(PUBLISHED.filter(({ dataset }) => dataset === name).map((entry) => entry.bones));
        for (const bones of counts) {
          if (context.wants(`${name} ${bones} bones`)) {
            rows.push(...table(context, numerics, load(context, name), name, bones));
          }
        }
      }
      const horse = load(context, 'horse-gallop');
      if (context.wants('two-layer evaluation')) rows.push(...evaluation(context, numerics, horse));
      if (context.wants('bytes')) rows.push(...(await bytes(context, numerics, horse)));
      return rows;
    } finally {
      numerics.close();
    }
  },
};

function row(dataset, bones, from, to, [kLargest, smooth, layers, geometric, poisson, layersOnShapes], dense) {
  const published = { 'k-largest': kLargest, smooth, geometric, poisson };
  return { dataset, bones, from, to, published, layers, layersOnShapes, dense };
}

function load(context, name) {
  const mesh = readObj(readFileSync(context.data(`${name}/rest.obj`)), { name: 'rest.obj' });
  const cache = readPc2(readFileSync(context.data(`${name}/clip.pc2`)), { name: 'clip.pc2' });
  return sequenceFromCache(mesh, cache);
}

/** All rows of the table for one dataset and number of bones. */
function table(context, numerics, sequence, name, bones) {
  const rows = [];
  const targets = name !== 'samba';
  const decomposed = (weights, rounds) => {
    context.log(`${name}: ${bones} bones, ${weights} weights, ${rounds} rounds`);
    const { rig, clip, error } = decompose(sequence, { bones, weights, rounds }, numerics);
    return { input: { rig, clips: [clip], examples: [sequence] }, eRms: error.eRms };
  };
  const figure = (of, metric, value, reference, target) => {
    const stop = targets && target !== undefined ? { target } : {};
    rows.push({ case: of, metric, value, unit: 'E_RMS', reference, referenceName: TABLE, ...stop });
  };
  const entries = PUBLISHED.filter((entry) => entry.dataset === name && entry.bones === bones);
  const models = new Map();
  const model = (from, rounds) => {
    const key = `${from} ${rounds}`;
    if (!models.has(key)) models.set(key, decomposed(from === 'dense' ? bones : from, rounds));
    return models.get(key);
  };
  for (const { from, to, published, layers, layersOnShapes, dense } of entries) {
    const of = `${name} ${bones} bones, ${from} to ${to}`;
    if (dense !== undefined) {
      figure(`${name} ${bones} bones`, 'dense', model('dense', CONVERGED).eRms, dense, 'ratio <= 1');
    }
    for (const method of ['k-largest', 'smooth', 'geometric', 'poisson', 'refit']) {
      context.log(`${of}: ${method}`);
      const { error } = reduceWeights(model(from, EARLY).input, { method, weights: to }, numerics);
      if (method !== 'refit') figure(of, method, error.eRms, published[method]);
      else {
        figure(of, 'refit against k-largest', error.eRms, published['k-largest'], 'ratio <= 0.5');
        figure(of, 'refit against geometric', error.eRms, published.geometric, 'ratio <= 1');
      }
    }
    // Two blends a vertex, and as many again for the virtual bones as make up the number of the row.
    const start = model(from, CONVERGED).input;
    const blends = from === 'dense' ? bones : Math.min(from + 1, bones);
    const virtual = Math.floor(((to - 2) * start.rig.mesh.positions.length) / 3 / blends);
    for (const [judge, reference] of [
      ['weights', layers],
      ['shapes', layersOnShapes],
    ]) {
      context.log(`${of}: two-layer by ${judge}`);
      const { error } = reduceTwoLayer(start, { judge, virtual, blends }, numerics);
      figure(of, `two-layer by ${judge}`, error.eRms, reference, 'ratio <= 1');
    }
  }
  return rows;
}

/** Two layers on the CPU beside dense skinning of the same model. */
function evaluation(context, numerics, sequence) {
  context.log('two-layer evaluation');
  const { rig, clip } = decompose(sequence, { bones: 30, weights: 30, rounds: 12 }, numerics);
  const { skin } = reduceTwoLayer({ rig, clips: [clip], examples: [sequence] }, {}, numerics);
  const pose = clip.transforms.subarray(0, rig.bones.length * 12);
  const virtual = new Float64Array(virtualCount(skin) * 12);
  const out = new Float32Array(rig.mesh.positions.length);
  const times = context.compareTimes(
    () => deformTwoLayer(rig.mesh.positions, skin, pose, virtual, out),
    () => deformLinear(rig.mesh.positions, rig.weights, pose, out),
  );
  return [
    {
      case: 'horse-gallop 30 bones',
      metric: 'two-layer evaluation',
      ...times,
      unit: 'ms',
      referenceName: 'dense skinning',
      target: 'ratio <= 0.5',
    },
  ];
}

/** The clip as `pelt reduce --compress meshopt` makes it: refitted, weights in bytes, packed; as it is read back. */
async function bytes(context, numerics, sequence) {
  context.log('bytes');
  const fitted = decompose(sequence, { bones: 20, weights: 4 }, numerics);
  const input = { rig: fitted.rig, clips: [fitted.clip], examples: [sequence] };
  const refitted = reduceWeights(input, { weights: 4 }, numerics);
  const rounded = roundWeights({ ...input, rig: refitted.rig, clips: refitted.clips }, 255, 'refit', numerics);
  const loop = findLoop(rounded.rig, rounded.clips[0], 0.2);
  const compression = { positionBits: 11, weightBits: 8, rotationBits: 11, translationBits: 13 };
  const file = await writeSkinnedGlb(
    { rig: rounded.rig, clips: [loop?.clip ?? rounded.clips[0]] },
    { normals: false, compress: 'meshopt', compression },
  );
  const shown = bakeSequence(await readGltf(file.bytes, { name: 'horse.glb' }));
  const meter = new SequenceErrorMeter(sequence.rest, sequence.times.length);
  const moved = new Float32Array(sequence.rest.positions.length);
  for (let t = 0; t < sequence.times.length; t++) {
    const frame = frameAt(shown, loop ? t % loop.period : t);
    file.vertexMap.forEach((i, v) => {
      moved.set(frame.subarray(3 * v, 3 * v + 3), 3 * i);
    });
    meter.addFrame(frameAt(sequence, t), moved);
  }
  const morph = await compressGlb((await writeMorphGlb(sequence, { normals: false })).bytes);
  const of = 'horse-gallop 20 bones, 4 weights, Meshopt';
  return [
    { case: of, metric: 'size', value: file.bytes.length / 1024, unit: 'KB', target: 'value <= 95' },
    {
      case: of,
      metric: 'error as read back',
      value: meter.result().eRms,
      unit: 'E_RMS',
      reference: fitted.error.eRms,
      referenceName: 'before compression',
      target: 'ratio <= 1.01',
    },
    {
      case: of,
      metric: 'size against morph targets',
      value: morph.bytes.length / file.bytes.length,
      unit: 'times smaller',
      target: 'value >= 15',
    },
  ];
}
