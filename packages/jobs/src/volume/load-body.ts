/** The solid of `pelt volume`: the one that a character was saved with, or a new one; and how it is saved. */
import { bodyExtension } from '@pelt/io';
import { type BodySettings, type Mesh, type Rig, type Run, type SavedBody, stageOf, type TetMesh } from '@pelt/model';
import type { TetrahedraReport } from '@pelt/skin/tetrahedra';
import { TETRAHEDRALIZE_DEFAULTS } from '@pelt/skin/tetrahedra/options';
import { bindVolume, surfaceWeights, type VolumeBinding } from '@pelt/skin/volume';
import { VOLUME_DEFORMER_DEFAULTS } from '@pelt/skin/volume/options';
import { dressMesh } from '../input/dress-mesh.ts';
import { namedMesh } from '../input/names.ts';
import { encodeCharacter } from '../input/open-character.ts';
import { isSameMesh } from '../input/same-mesh.ts';
import type { Job } from '../job.ts';
import type { Values } from '../request/table.ts';
import type { LoadedSkeleton } from './load-skeleton.ts';
import type { VOLUME } from './table.ts';

/** Of a body that was saved only its size is known. */
export type BodyReport = Pick<TetrahedraReport, 'vertices' | 'tetrahedra'> & Partial<TetrahedraReport>;

const SETTINGS = [
  'method',
  'volumeWeight',
  'bending',
  'rotationWeight',
  'constraintStiffness',
  'tolerance',
] as const satisfies readonly (keyof BodySettings)[];

type VolumeValues = Values<typeof VOLUME>;

/** The body of the skeleton's file, if it is one of this mesh and nothing else is asked for. */
export function savedBody({ opened }: LoadedSkeleton, mesh: Mesh, options: VolumeValues): SavedBody | undefined {
  const body = opened?.character.body;
  const { constraints, spacing, grading } = options;
  const anew =
    constraints !== 'auto' ||
    spacing !== TETRAHEDRALIZE_DEFAULTS.spacing ||
    grading !== TETRAHEDRALIZE_DEFAULTS.grading;
  return body && !anew && opened && isSameMesh(opened.character.mesh.positions, mesh.positions) ? body : undefined;
}

/** How it is deformed: as the command says, and where that says the usual, as was saved. */
export function settingsOf(options: VolumeValues, saved: SavedBody | undefined): BodySettings {
  const own = SETTINGS.filter((key) => options[key] !== VOLUME_DEFORMER_DEFAULTS[key]);
  return { ...saved?.settings, ...Object.fromEntries(own.map((key) => [key, options[key]])) };
}

/** @param rig  of the same mesh, whose weights are then those of the surface */
export function bindBody(
  body: TetMesh,
  { bones, tips }: LoadedSkeleton,
  rig: Rig | undefined,
  constraints: Uint32Array | undefined,
  run: Run,
): VolumeBinding {
  return bindVolume({ body, bones, weights: rig?.weights }, { constraints, tips }, run);
}

/** The character with its solid: the file of the rig where it is one of this mesh, or the mesh with its joints. */
export async function encodeBody(
  binding: VolumeBinding,
  settings: BodySettings,
  { mesh, skeleton, rig }: { readonly mesh: Mesh; readonly skeleton: LoadedSkeleton; readonly rig: Rig | undefined },
  run: Run,
  job: Job,
): Promise<Uint8Array> {
  const { bones, tips, opened, clip, path } = skeleton;
  const changes = { extensions: [bodyExtension({ ...binding, settings })] };
  if (rig && opened) return encodeCharacter(opened, changes, job.warn);
  const weights = surfaceWeights({ body: binding.body, bones }, { tips }, stageOf(run, 0, 1));
  const named = namedMesh(mesh);
  const clips = opened?.character.clips ?? [clip];
  const dressed = await dressMesh({ name: named.name, mesh: named, bones, weights }, clips, path, job.warn);
  return encodeCharacter(dressed, changes, job.warn);
}
