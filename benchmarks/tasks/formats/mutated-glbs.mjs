/**
 * Mutated GLBs through `convert`: whatever it accepts, it must write a valid file of. Skins, morph targets, materials and
 * both compressions; fields of the binary part, places in the JSON. Judged by the Khronos validator, warnings included.
 */
import { writeMorphGlb, writeSkinnedGlb } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { Random } from '@pelt/math';
import { PeltError } from '@pelt/model';
import { compressGlb } from '@pelt/pack';
import { chainScene } from '@pelt/testkit';

const COUNT = 2500;
const SEED = 20_261_116;
const CASE = `${COUNT} mutated GLBs through convert`;

export async function mutatedGlbRows(context) {
  if (!context.wants(CASE)) return [];
  context.log(CASE);
  const { complaintsAbout } = await context.twin('packages/io/test/gltf/validate-glb.ts');
  const mutants = await mutations(context);
  const random = new Random(SEED);
  const counts = { written: 0, invalid: 0, faults: 0 };
  for (let k = 0; k < COUNT; k++) {
    const outputs = new MemoryOutputs();
    const files = new MemoryFiles({ 'in.glb': Uint8Array.from(mutants[k % mutants.length](random)) });
    try {
      await runJob({ command: 'convert', inputs: ['in.glb'], output: 'out.glb' }, { files, outputs });
    } catch (error) {
      if (error instanceof PeltError) continue;
      counts.faults++;
      context.log(`input ${k}: ${error.stack}`);
      continue;
    }
    counts.written++;
    const complaints = await complaintsAbout(outputs.files.get('out.glb'));
    if (complaints.length === 0) continue;
    counts.invalid++;
    context.log(`input ${k}: ${complaints[0]}`);
  }
  const row = { case: CASE, unit: 'files' };
  return [
    { ...row, metric: 'invalid output', value: counts.invalid, target: 'value <= 0' },
    { ...row, metric: 'faults', value: counts.faults, target: 'value <= 0' },
    // Mutants that are all refused at the first byte would show nothing.
    { ...row, metric: 'written', value: counts.written, target: `value >= ${COUNT / 20}` },
  ];
}

async function mutations(context) {
  const { mutateBinary, mutateJson } = await context.twin('packages/io/test/fuzz/mutate.ts');
  const { binaryOf, glbOf, jsonOf } = await context.twin('packages/io/test/gltf/glb-json.ts');
  const { sequence, rig, clip } = chainScene({ joints: ['hinge', 'ball'], frames: 4, ringsPerLink: 3, sides: 5 });
  const { bytes: skinned } = await writeSkinnedGlb({ rig, clips: [clip] });
  const { bytes: morphs } = await writeMorphGlb(sequence);
  const { bytes: packed } = await compressGlb(skinned);
  return [skinned, morphs, packed].flatMap((glb) => {
    const [json, binary] = [jsonOf(glb), binaryOf(glb)];
    return [
      mutateBinary(glb),
      mutateJson(json, (changed) => glbOf(changed, binary)),
      (random) => glbOf(json, mutateBinary(binary)(random)),
    ];
  });
}
