/** The rig whose bones or weights a fit keeps. */
import { frameCount, InputError, type MeshSequence, vertexCount } from '@pelt/model';
import type { LockedRig } from '@pelt/skin/decompose';
import type { Reader } from '../input/load-sequence.ts';
import { chooseClip, openRig } from '../input/open-rig.ts';

export interface LockOptions {
  readonly lock: LockedRig['part'] | undefined;
  readonly rig: string | undefined;
  readonly rigClip: string | undefined;
}

export async function loadLockedRig(
  { lock, rig: path, rigClip }: LockOptions,
  sequence: MeshSequence,
  reader: Reader,
): Promise<LockedRig | undefined> {
  if (lock === undefined || path === undefined) return undefined;
  const opened = await openRig(path, reader);
  const { rig } = opened;
  if (lock === 'bones') return { part: lock, rig, clip: chooseClip(opened, rigClip, frameCount(sequence)) };
  const [own, n] = [vertexCount(rig.mesh), vertexCount(sequence.rest)];
  if (own === n) return { part: lock, rig };
  throw new InputError(`'${path}' has ${own} vertices, the animation ${n}; --lock weights needs the same`);
}
