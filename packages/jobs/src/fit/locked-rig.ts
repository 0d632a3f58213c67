/** The rig whose bones or weights a fit keeps. */
import { InputError, type Mesh, vertexCount } from '@pelt/model';
import type { LockedRig } from '@pelt/skin/decompose';
import { characterOf } from '../input/asset-motion.ts';
import type { Reader } from '../input/load-sequence.ts';
import { requireSkin } from '../input/open-character.ts';
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
  const { rig, asset } = opened;
  // A fit blends linearly: of a learnt skin its joints may be kept, and nothing else.
  const kinds =
    lock === 'bones' ? (['linear', 'dual-quaternion', 'envelope', 'eigenskin'] as const) : (['linear'] as const);
  requireSkin({ path, character: characterOf(asset, path) }, kinds, 'a fit blends linearly', 'give a rig that does');
  if (lock === 'bones') return { part: lock, rig, clip: chooseClip(opened, rigClip, frames) };
  const [own, n] = [vertexCount(rig.mesh), vertexCount(mesh)];
  if (own === n) return { part: lock, rig };
  throw new InputError(`'${path}' has ${own} vertices, the animation ${n}; --lock weights needs the same`);
}
