/** Real meshes filled with tetrahedra, each by a process of its own, so that times are first times and memory is its own. */
import { fileURLToPath } from 'node:url';
import { median } from '../../harness/measure.mjs';
import { runCommand } from '../../harness/run-command.mjs';

const FILES = {
  armadillo: 'closed/armadillo.obj',
  hand: 'closed/hand_closed.obj',
  spot: 'closed/spot.obj',
  cat: 'cat-poses/rest.obj',
  lion: 'lion-poses/rest.obj',
  samba: 'samba/rest.obj',
  'horse, open': 'horse-gallop/rest.obj',
  elephant: 'elephant-gallop/rest.obj',
};
const FILL = fileURLToPath(new URL('fill-mesh.mjs', import.meta.url));

export const needs = Object.values(FILES);

export function measure(context) {
  return Object.entries(FILES).flatMap(([name, file]) => {
    if (!context.wants(`tetrahedra, ${name}`)) return [];
    context.log(`tetrahedra in ${name}`);
    const first = name === 'armadillo';
    // What is judged by time is run a few times.
    const runs = Array.from({ length: first ? 3 : 1 }, () =>
      JSON.parse(runCommand([process.execPath, FILL, context.data(file)]).stdout),
    );
    const [filled] = runs;
    const row = (metric, value, unit, target) => ({
      case: `tetrahedra, ${name}`,
      metric,
      value,
      unit,
      ...(target && { target: `value ${target}` }),
    });
    return [
      row('tetrahedra', filled.tetrahedra, ''),
      row('time', median(runs.map(({ seconds }) => seconds)), 's', first && '<= 5'),
      row('peak memory', median(runs.map(({ megabytes }) => megabytes)), 'MB', first && '<= 500'),
      row(
        'volume against the surface’s',
        100 * Math.abs(filled.volume / filled.surfaceVolume - 1),
        '%',
        first ? '<= 0.1' : '<= 0.3',
      ),
      row('least angle', filled.leastAngleDegrees, '°', first && '>= 10'),
      row('slivers under 5°', (100 * filled.slivers) / filled.tetrahedra, '%', '<= 0.2'),
    ];
  });
}
