// @ts-check
/**
 * The examples of the gallery, generated: every one as the files that a user would have, and the first one with its fit,
 * so that the page opens on a result.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeObj, writePc2 } from '@pelt/io';
import { MemoryFiles, MemoryOutputs, runJob } from '@pelt/jobs';
import { armScene, chainScene, creatureScene, elbowScene } from '@pelt/testkit';

const FOLDER = fileURLToPath(new URL('../public/examples/', import.meta.url));
const FPS = 30;

/** @type {{ name: string, title: string, text: string, mode: string, scene: () => import('@pelt/testkit').Scene }[]} */
const EXAMPLES = [
  {
    name: 'creature',
    title: 'Walking creature',
    text: 'A walk cycle without a rig. Fit bones to it, or find its skeleton.',
    mode: 'fit',
    scene: () => creatureScene({ detail: 0.036, frames: 48, fps: FPS }),
  },
  {
    name: 'arm',
    title: 'Arm with muscles',
    text: 'Bends, twists and bulges: more than a few rigid bones can show.',
    mode: 'fit',
    scene: () => armScene({ fps: FPS }),
  },
  {
    name: 'chain',
    title: 'Chain of joints',
    text: 'A hinge and two ball joints, to be found from the motion alone.',
    mode: 'skeleton',
    scene: () => chainScene({ joints: ['hinge', 'ball', 'hinge', 'ball'], frames: 40 }),
  },
  {
    name: 'elbow',
    title: 'Bending elbow',
    text: 'A soft elbow with wide weights: what is left of it with two per vertex?',
    mode: 'reduce',
    scene: () => elbowScene({ frames: 25, radius: 0.13 }),
  },
];
/** The example that is opened first, with the options of its fit as the panel would give them. */
const FIRST = { name: 'creature', options: { fps: FPS, method: /** @type {const} */ ('ssdr'), bones: 12, weights: 4 } };

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const { name, scene } of EXAMPLES) {
  const { sequence } = scene();
  const obj = new Uint8Array(writeObj(sequence.rest, { name: `${name}.obj` })[0].bytes);
  const pc2 = new Uint8Array(writePc2(sequence, { fps: FPS }));
  writeFileSync(join(FOLDER, `${name}.obj`), obj);
  writeFileSync(join(FOLDER, `${name}.pc2`), pc2);
  if (name !== FIRST.name) continue;
  const files = new MemoryFiles({ [`${name}.obj`]: obj, [`${name}.pc2`]: pc2 });
  const outputs = new MemoryOutputs();
  await runJob(
    {
      command: 'fit',
      inputs: [`${name}.obj`, `${name}.pc2`],
      output: `${name}-fitted.glb`,
      options: FIRST.options,
    },
    { files, outputs, threads: 2 },
  );
  for (const [path, bytes] of outputs.files) writeFileSync(join(FOLDER, path), bytes);
}
const index = EXAMPLES.map(({ name, title, text, mode }) => ({
  name,
  title,
  text,
  mode,
  fps: FPS,
  ...(name === FIRST.name && { rig: `${name}-fitted.glb`, options: FIRST.options }),
}));
writeFileSync(join(FOLDER, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
