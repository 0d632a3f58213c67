/**
 * Meshes that a known rig moved. With as many weights as the rig had, a decomposition should find it again; with four, it
 * should do as well as the known bones with their best four weights.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { naturalCompare } from '@pelt/io';
import { IDENTITY_TRANSFORM } from '@pelt/model';
import { decompose } from '@pelt/skin';
import { loadAnimation } from './load-animation.mjs';

const RIGS = [
  { name: 'cheburashka', bones: 11 },
  { name: 'wolf', bones: 21 },
];
const ALL_WEIGHTS = 11;

export function knownRigs(context, numerics) {
  return RIGS.flatMap(({ name, bones }) => {
    if (!context.wants(`known rig ${name}`)) return [];
    context.log(`known rig ${name}`);
    const sequence = loadAnimation(context, `rigged/${name}`);
    const free = decompose(sequence, { bones }, { numerics }).error.eRms;
    const locked = { part: 'bones', ...knownMotion(context, name, bones, sequence) };
    const known = decompose(sequence, { bones, locked }, { numerics }).error.eRms;
    const dense = decompose(sequence, { bones, weights: ALL_WEIGHTS }, { numerics }).error.eRms;
    const auto = decompose(sequence, { bones: 'auto' }, { numerics });
    const reference = { reference: known, referenceName: 'known bones', target: 'ratio <= 1.1' };
    const found = `known rig ${name}, bones by auto`;
    const offBy = Math.abs(auto.rig.bones.length - bones);
    return [
      { case: found, metric: 'bones more or fewer than the rig has', value: offBy, unit: '', target: 'value <= 1' },
      {
        case: found,
        metric: 'E_RMS',
        value: auto.error.eRms,
        unit: '',
        reference: free,
        referenceName: 'with the number of the rig',
        target: 'ratio <= 1',
      },
      { case: `known rig ${name}, 4 weights`, metric: 'E_RMS', value: free, unit: '', ...reference },
      {
        case: `known rig ${name}, ${ALL_WEIGHTS} weights`,
        metric: 'E_RMS',
        value: dense,
        unit: '',
        target: 'value <= 0.3',
      },
    ];
  });
}

/** The bones' transforms: a file a pose, a 4 × 3 block a bone, for row vectors. */
function knownMotion(context, name, bones, sequence) {
  const folder = context.data(`rigged/${name}`);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.Tmat'))
    .sort(naturalCompare);
  const transforms = new Float64Array(files.length * bones * 12);
  files.forEach((file, t) => {
    const numbers = readFileSync(`${folder}/${file}`, 'utf8').trim().split(/\s+/).map(Number);
    for (let j = 0; j < bones; j++) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) {
          transforms[(t * bones + j) * 12 + 4 * row + column] = numbers[j * 12 + 3 * column + row];
        }
      }
    }
  });
  const n = sequence.rest.positions.length / 3;
  const rig = {
    name,
    mesh: sequence.rest,
    bones: Array.from({ length: bones }, (_, j) => ({
      name: `bone-${j}`,
      parent: -1,
      rest: Float64Array.from(IDENTITY_TRANSFORM),
    })),
    weights: { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) },
  };
  return { rig, clip: { name, times: sequence.times, transforms } };
}
