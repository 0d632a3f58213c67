/** Checks that the topology is constant: vertices and faces must be those of the first sample. */
import { InputError } from '@pelt/model';
import type { AlembicMesh } from './mesh-object.ts';
import type { SampledProperty } from './property.ts';
import { placeOfTime } from './time-sampling.ts';

const CURE = 'the topology must be constant: export the mesh before it is remeshed, or only the frames up to there';

/** @param frame  frame number, for the message */
export function requireSameVertices(mesh: AlembicMesh, sample: number, frame: number, label: string): void {
  const count = mesh.content.points.count(sample);
  if (count === mesh.vertices) return;
  throw new InputError(
    `${label}: '${mesh.path}' has ${count} vertices in frame ${frame}, but ${mesh.vertices} in frame 0; ${CURE}`,
  );
}

export function requireSameFaces(mesh: AlembicMesh, time: number, frame: number, label: string): void {
  const { faceCounts, faceIndices } = mesh.content;
  for (const property of [faceCounts, faceIndices]) {
    if (!property?.changes) continue;
    const sample = placeOfTime(property.header.sampling, property.samples, time).before;
    if (property.sameSample(0, sample)) continue;
    throw new InputError(
      `${label}: '${mesh.path}' has ${described(faceCounts, faceIndices, time)} in frame ${frame}, ` +
        `but ${described(faceCounts, faceIndices, undefined)} in frame 0; ${CURE}`,
    );
  }
}

/** @param time  undefined for the first sample */
function described(
  faceCounts: SampledProperty | undefined,
  faceIndices: SampledProperty | undefined,
  time: number | undefined,
): string {
  const count = (property: SampledProperty | undefined) => {
    if (!property) return 0;
    const { header, samples } = property;
    return property.count(time === undefined ? 0 : placeOfTime(header.sampling, samples, time).before);
  };
  return `${count(faceCounts)} faces with ${count(faceIndices)} corners`;
}
