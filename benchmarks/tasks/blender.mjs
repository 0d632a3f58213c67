/** The add-on for Blender: a round trip beside the command that it runs, on a cloth that Blender simulates. */
import { spawnSync } from 'node:child_process';
import { runBlender } from '../../integrations/blender/test/start.mjs';

/** Processor time of a round trip over that of its two parts. */
const MOST_TIME = 1.2;
/** Largest distance of a vertex from what pelt plays of its own file, over the size of the model. */
const MOST_DISTANCE = 1e-5;

export default {
  name: 'blender',
  needs: [],
  async run(context) {
    const blender = process.env.BLENDER ?? 'blender';
    if (spawnSync(blender, ['--version']).status !== 0) {
      context.log('Blender is not installed; npm run test:blender installs it');
      return [];
    }
    const name = 'cloth, 10 201 vertices × 100 frames';
    if (!context.wants(name)) return [];
    context.log(name);
    const { stdout, stderr } = runBlender(blender, 'measure.py', { output: 'pipe' });
    const line = /^MEASURED (.*)$/m.exec(stdout);
    if (!line) throw new Error(`Blender measured nothing: ${stderr.trim().split('\n').at(-1)}`);
    const { export: exporting, command, off, 'round trip': whole } = JSON.parse(line[1]);
    return [
      {
        case: name,
        metric: 'round trip',
        value: whole,
        unit: 's',
        reference: exporting + command,
        referenceName: 'export and pelt fit',
        target: `ratio <= ${MOST_TIME}`,
      },
      { case: name, metric: 'export', value: exporting, unit: 's' },
      { case: name, metric: 'distance from the GLB', value: off, unit: 'sizes', target: `value <= ${MOST_DISTANCE}` },
    ];
  },
};
