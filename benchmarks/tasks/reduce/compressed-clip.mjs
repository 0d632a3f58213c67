/** A clip as `pelt reduce --compress meshopt` makes it: refitted, weights in bytes, packed; as it is read back. */
import { bakeSequence, readGltf, writeMorphGlb, writeSkinnedGlb } from '@pelt/io';
import { enclosingBall } from '@pelt/math';
import { boundsOf, diagonalOf, frameAt, SequenceErrorMeter } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { findLoop, reduceWeights, roundWeights } from '@pelt/skin';
import { SETTLED } from './models.mjs';

const DATA = 'horse-gallop';
const BONES = 20;
const WEIGHTS = 4;

export async function compressedClip(context, numerics, models) {
  const place = `${DATA} ${BONES} bones, ${WEIGHTS} weights, Meshopt`;
  if (!context.wants(place)) return [];
  const { input, eRms } = models.get(DATA, BONES, WEIGHTS, SETTLED);
  context.log(place);
  const sequence = input.examples[0];
  const refitted = reduceWeights(input, { weights: WEIGHTS }, { numerics });
  const rounded = roundWeights(
    { ...input, rig: refitted.rig, clips: refitted.clips },
    { levels: 255, bones: 'refit' },
    { numerics },
  );
  const loop = findLoop({ rig: rounded.rig, clip: rounded.clips[0] }, { tolerance: 0.2 });
  // A seventh of the rig's own error, which in squares is two hundredths.
  const diagonal = diagonalOf(boundsOf(sequence.rest.positions));
  const radius = enclosingBall(sequence.rest.positions).radius;
  const compression = { maxError: (0.14 * Math.sqrt(3) * (eRms / 1000) * radius) / diagonal };
  const model = { rig: rounded.rig, clips: [loop?.clip ?? rounded.clips[0]] };
  const plain = await writeSkinnedGlb(model, { normals: false });
  const { bytes, order } = await compressGlb(plain.bytes, compression);
  const file = { bytes, vertexMap: order.map((v) => plain.vertexMap[v]) };
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
  return [
    { case: place, metric: 'size', value: file.bytes.length / 1024, unit: 'KB', target: 'value <= 95' },
    {
      case: place,
      metric: 'error as read back',
      value: meter.result().eRms,
      unit: 'E_RMS',
      reference: eRms,
      referenceName: 'before compression',
      target: 'ratio <= 1.01',
    },
    {
      case: place,
      metric: 'size against morph targets',
      value: morph.bytes.length / file.bytes.length,
      unit: 'times smaller',
      target: 'value >= 15',
    },
  ];
}
