import { publishedSsdr } from '@pelt/baselines';
import { openNumerics } from '@pelt/math';
import type { MeshSequence } from '@pelt/model';
import { decompose } from '@pelt/skin/decompose';

// Two squares, of which the second moves up.
const square = (x: number, y: number) => [x, y, 0, x + 1, y, 0, x, y + 1, 0, x + 1, y + 1, 0];
const positions = Float32Array.from([...square(0, 0), ...square(3, 0)]);
const sequence: MeshSequence = {
  name: 'squares',
  rest: { name: 'squares', positions, triangles: Uint32Array.of(0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6) },
  frames: Float32Array.from([...positions, ...square(0, 0), ...square(3, 1), ...square(0, 0), ...square(3, 2)]),
  times: Float64Array.of(0, 1, 2),
};

const numerics = await openNumerics();
const published = publishedSsdr(sequence, { bones: 2 }, { numerics });
const own = decompose(sequence, { bones: 2 }, { numerics });
numerics.close();
if (published.error.eRms > 1e-3 || own.error.eRms > 1e-3) throw new Error('both find the two squares');
