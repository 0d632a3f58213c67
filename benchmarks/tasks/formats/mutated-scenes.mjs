/** Mutated FBX, USD and VRM files through `info`: a result or one line, in bounded time and memory. */
import { glbToFbx, glbToUsda, glbToVrm, REQUIRED_BONES, writeSkinnedGlb } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { Random } from '@pelt/math';
import { PeltError } from '@pelt/model';
import { chainScene } from '@pelt/testkit';

const COUNT = 2000;
const SEED = 20_261_118;
const MOST_SECONDS = 2;
const MOST_MEGABYTES = 512;

export async function mutatedSceneRows(context) {
  const rows = [];
  for (const format of ['FBX', 'USDA', 'USDC', 'VRM']) {
    const name = `${COUNT} mutated ${format} files`;
    if (!context.wants(name)) continue;
    context.log(name);
    const mutants = await mutations(context, format);
    const random = new Random(SEED);
    const before = process.resourceUsage().maxRSS;
    let faults = 0;
    let read = 0;
    let slowest = 0;
    for (let k = 0; k < COUNT; k++) {
      const path = `in.${format.toLowerCase()}`;
      const files = new MemoryFiles({ [path]: Uint8Array.from(mutants[k % mutants.length](random)) });
      const started = process.cpuUsage();
      try {
        await runJob({ command: 'info', inputs: [path] }, { files, outputs: new MemoryOutputs() });
        read++;
      } catch (error) {
        if (!(error instanceof PeltError) || error.message.includes('\n')) {
          faults++;
          context.log(`input ${k}: ${error.stack}`);
        }
      }
      const { user, system } = process.cpuUsage(started);
      slowest = Math.max(slowest, (user + system) / 1e6);
    }
    const megabytes = (process.resourceUsage().maxRSS - before) / 1024;
    rows.push(
      { case: name, metric: 'faults', value: faults, unit: 'files', target: 'value <= 0' },
      { case: name, metric: 'slowest', value: slowest, unit: 's', target: `value <= ${MOST_SECONDS}` },
      { case: name, metric: 'memory', value: megabytes, unit: 'MB', target: `value <= ${MOST_MEGABYTES}` },
      { case: name, metric: 'read', value: read, unit: 'files', target: `value >= ${COUNT / 20}` },
    );
  }
  return rows;
}

async function mutations(context, format) {
  const { mutateBinary, mutateJson, mutateText } = await context.twin('packages/io/test/fuzz/mutate.ts');
  const { binaryOf, glbOf, jsonOf } = await context.twin('packages/io/test/gltf/glb-json.ts');
  const { asciiFbx } = await context.twin('packages/io/test/fbx/ascii-fbx.ts');
  const { rig, clip } = chainScene({ joints: ['hinge', 'ball'], frames: 4, ringsPerLink: 3, sides: 5 });
  const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
  if (format === 'FBX') {
    return [mutateBinary(await glbToFbx(bytes)), mutateText(new TextDecoder().decode(asciiFbx()))];
  }
  if (format === 'USDA' || format === 'USDC') {
    const [{ bytes: text }] = await glbToUsda(bytes);
    if (format === 'USDA') return [mutateText(new TextDecoder().decode(text))];
    const { readUsda } = await context.twin('packages/io/src/usd/read/read-usda.ts');
    const { writeCrate } = await context.twin('packages/io/test/usd/crate-writer.ts');
    return [false, true].map((packed) => mutateBinary(writeCrate(readUsda(text), { packed })));
  }
  const humanoid = Object.fromEntries(REQUIRED_BONES.map((bone, k) => [bone, k % 3]));
  const vrm = await glbToVrm(bytes, { humanoid });
  return [mutateBinary(vrm), mutateJson(jsonOf(vrm), (json) => glbOf(json, binaryOf(vrm)))];
}
