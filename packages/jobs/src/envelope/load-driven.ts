/** Examples without a skeleton: what moves them is found, or is a part of them that is named. */
import { type Clip, type Mesh, type Rig, stageOf, UsageError, vertexCount } from '@pelt/model';
import { findDriver } from '@pelt/skin/dynamics';
import { dressMesh } from '../input/dress-mesh.ts';
import { type ClipsOptions, loadClips } from '../input/load-clips.ts';
import { inputFigures } from '../input/load-sequence.ts';
import { namedMesh } from '../input/names.ts';
import type { Job } from '../job.ts';
import type { LoadedExamples } from './load-examples.ts';

/** @param drive  `auto`, a part of the mesh, or a joint of a glTF that moves it */
export async function loadDriven(
  files: readonly string[],
  options: ClipsOptions & { readonly drive: string; readonly rigClip?: string },
  job: Job,
): Promise<LoadedExamples> {
  if (options.rigClip !== undefined) throw new UsageError('--rig-clip is for a rig; with --drive there is none');
  const loaded = await loadClips(files, options, job, stageOf(job.context, 0, 0.05));
  const { sequence, skinned, clips: spans, split } = loaded;
  const named = namedMesh(sequence.rest);
  const joint = skinned?.rig.bones.findIndex(({ name }) => name === options.drive) ?? -1;
  const { rig, clip } =
    skinned && joint >= 0
      ? underJoint(skinned, joint)
      : findDriver(
          sequence,
          options.drive === 'auto' ? undefined : verticesOf(sequence.rest, options.drive),
          job.context,
        );
  const own: Rig = { ...rig, name: named.name, mesh: named };
  const opened = await dressMesh(own, split(clip), files[0], job.warn);
  const { triangles: _, ...input } = inputFigures(loaded);
  return {
    rig: own,
    clip,
    opened,
    sequence: { ...sequence, rest: named },
    input,
    spans: spans.map(({ times }) => times.length),
  };
}

/** One joint of a rig, with all vertices. */
function underJoint(
  { rig, clip }: { readonly rig: Rig; readonly clip: Clip },
  joint: number,
): { rig: Rig; clip: Clip } {
  const m = rig.bones.length;
  const n = vertexCount(rig.mesh);
  const transforms = new Float64Array(12 * clip.times.length);
  clip.times.forEach((_, t) => {
    const at = 12 * (t * m + joint);
    transforms.set(clip.transforms.subarray(at, at + 12), 12 * t);
  });
  return {
    rig: {
      ...rig,
      bones: [{ ...rig.bones[joint], parent: -1 }],
      weights: { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) },
    },
    clip: { ...clip, transforms },
  };
}

/** Vertices of the parts, or of the objects, of this name. */
function verticesOf({ parts = [], objects = [], triangles }: Mesh, name: string): Uint32Array {
  const found = parts.filter((part) => {
    const object = part.object === undefined ? undefined : objects[part.object];
    return [part.name, object?.name, object?.mesh].includes(name);
  });
  const vertices = new Set<number>();
  for (const { firstTriangle, triangleCount } of found) {
    for (let k = 3 * firstTriangle; k < 3 * (firstTriangle + triangleCount); k++) vertices.add(triangles[k]);
  }
  if (vertices.size > 0) return Uint32Array.from(vertices).sort();
  const names = [...new Set(parts.map((part) => part.name).filter((known) => known !== ''))];
  throw new UsageError(
    `--drive ${name}: the examples have no group and no joint of this name; ` +
      (names.length > 0 ? `there are ${names.slice(0, 8).join(', ')}` : 'they have no groups, so give --drive auto'),
  );
}
