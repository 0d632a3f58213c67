import { DeformationGradients } from '../gradients/deformation-gradients.ts';

/** Barycentric vertex areas, normalised to sum 1; uniform if the mesh has no area. All are positive. */
export function vertexAreas(x: Float64Array, triangles: Uint32Array): Float64Array {
  const n = x.length / 3;
  const gradients = new DeformationGradients(x, triangles);
  const areas = new Float64Array(n);
  let total = 0;
  gradients.areas.forEach((area, t) => {
    total += area;
    for (let c = 0; c < 3; c++) areas[triangles[3 * t + c]] += area / 3;
  });
  const least = total > 0 ? (1e-6 * total) / n : 1;
  const sum = areas.reduce((s, area) => s + Math.max(area, least), 0);
  return areas.map((area) => Math.max(area, least) / sum);
}
