/** The rig whose bones or weights a fit keeps. */
import { InputError, type Mesh, vertexCount } from '@pelt/model';
import type { LockedRig } from '@pelt/skin/decompose';
import type { Reader } from '../input/load-sequence.ts';
import { chooseClip, openRig } from '../input/open-rig.ts';

export interface LockOptions {
  readonly lock: LockedRig['part'] | undefined;
  readonly rig: string | undefined;
  readonly rigClip: string | undefined;
}

/** @param frames  S, that the rig's animation must have where its bones are kept */
export async function loadLockedRig(
  { lock, rig: path, rigClip }: LockOptions,
  frames: number,
  mesh: Mesh,
  reader: Reader,
): Promise<LockedRig | undefined> {
  if (lock === undefined || path === undefined) return undefined;
  const opened = await openRig(path, reader);
  const { rig } = opened;
  if (lock === 'bones') return { part: lock, rig, clip: chooseClip(opened, rigClip, frames) };
  const [own, n] = [vertexCount(rig.mesh), vertexCount(mesh)];
  if (own === n) return { part: lock, rig };
  throw new InputError(`'${path}' has ${own} vertices, the animation ${n}; --lock weights needs the same`);
}
