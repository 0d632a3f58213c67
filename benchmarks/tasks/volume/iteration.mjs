/** One round without the volume term on one core, on the boxes on which libigl's solver was timed. */
import { VolumeIteration, VolumeSystem } from '@pelt/kernels';
import { openNumerics, Random } from '@pelt/math';
import { LIBIGL_ELEMENTS } from '../../published/volumetric.mjs';

/** Corners of a cell are moved by up to this share of it, so that no two tetrahedra are alike. */
const JITTER = 0.05;
/** The six orders in which a walk along the axes goes from one corner of a cell to the opposite one. */
const WALKS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 0, 2],
  [2, 1, 0],
];

export async function measure(context) {
  const numerics = await openNumerics({ threads: 1 });
  try {
    return LIBIGL_ELEMENTS.flatMap(({ across, along, milliseconds }) => {
      const { positions, tetrahedra, ends } = box(across, along);
      const vertices = positions.length / 3;
      const place = `one round, ${vertices} vertices, ${tetrahedra.length / 4} tetrahedra`;
      if (!context.wants(place)) return [];
      context.log(place);
      const system = new VolumeSystem(numerics, positions, tetrahedra, { fixed: ends });
      twist(system.positions.view, across, along);
      const iteration = new VolumeIteration(numerics, system, true);
      const value = context.medianTime(() => iteration.round(0), { prepare: () => iteration.beginAtPositions() });
      iteration.dispose();
      system.dispose();
      return {
        case: place,
        metric: 'time of one core, no volume term',
        value,
        unit: 'ms',
        reference: milliseconds,
        referenceName: 'libigl, elements (C++)',
        target: 'ratio <= 0.5',
      };
    });
  } finally {
    numerics.close();
  }
}

/** A box of cells with six tetrahedra each; its two ends are held. */
function box(across, along) {
  const random = new Random(1);
  const side = across + 1;
  const at = ([x, y, z]) => (z * side + y) * side + x;
  const positions = [];
  for (let z = 0; z <= along; z++) {
    for (let y = 0; y <= across; y++) {
      for (let x = 0; x <= across; x++) positions.push(...[x, y, z].map((k) => k + random.uniform(-JITTER, JITTER)));
    }
  }
  const tetrahedra = [];
  for (let z = 0; z < along; z++) {
    for (let y = 0; y < across; y++) {
      for (let x = 0; x < across; x++) {
        WALKS.forEach((walk, k) => {
          const place = [x, y, z];
          const corners = [at(place)];
          for (const axis of walk) {
            place[axis]++;
            corners.push(at(place));
          }
          // The last three walks turn the other way.
          tetrahedra.push(...(k < 3 ? corners : [corners[0], corners[1], corners[3], corners[2]]));
        });
      }
    }
  }
  const ends = [];
  for (let k = 0; k < side * side; k++) ends.push(k, along * side * side + k);
  return {
    positions: Float64Array.from(positions),
    tetrahedra: Uint32Array.from(tetrahedra),
    ends: Uint32Array.from(ends),
  };
}

/** A quarter of a turn and a bow. */
function twist(positions, across, along) {
  for (let k = 0; k < positions.length; k += 3) {
    const share = positions[k + 2] / along;
    const angle = (Math.PI / 2) * share;
    const [x, y] = [positions[k] - across / 2, positions[k + 1] - across / 2];
    positions[k] = x * Math.cos(angle) - y * Math.sin(angle) + 0.3 * along * share * share;
    positions[k + 1] = x * Math.sin(angle) + y * Math.cos(angle);
  }
}
