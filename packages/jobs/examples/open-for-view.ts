import { writeMdd, writeObj } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, openAnimation, openMatchedRig, runJob } from '@pelt/jobs';
import { barScene } from '@pelt/testkit';

const { sequence } = barScene();
const inputs = {
  'rest.obj': new Uint8Array(writeObj(sequence.rest)[0].bytes),
  'clip.mdd': new Uint8Array(writeMdd(sequence)),
};
const files = new MemoryFiles(inputs);
const outputs = new MemoryOutputs();
const request = { command: 'fit', inputs: Object.keys(inputs), output: 'bar.glb', options: { bones: 2 } } as const;
await runJob(request, { files, outputs });
files.set('bar.glb', new Uint8Array(outputs.files.get('bar.glb') ?? []));

const animation = await openAnimation(Object.keys(inputs), {}, { files });
const { rig, clip, vertices } = await openMatchedRig('bar.glb', animation, { files });

if (clip.times.length !== animation.sequence.times.length) throw new Error('a pose for every frame');
if (vertices.length !== rig.mesh.positions.length / 3) throw new Error('a vertex of the animation for each of the rig');
