/** What `--clip` says to commands that take several clips of one mesh. */
import { InvalidArgumentError } from 'commander';
import type { NamedClip } from '../jobs/fit-methods.ts';

/** Which animation of a glTF, or several clips by name. */
export interface ClipChoice {
  readonly animation?: string;
  readonly clips?: readonly NamedClip[];
}

/** Adds `name=file,file` to the clips that came before it. */
export function addClip(text: string, before: ClipChoice = {}): ClipChoice {
  const equals = text.indexOf('=');
  if (equals < 0) return { ...before, animation: text };
  const name = text.slice(0, equals);
  const files = text
    .slice(equals + 1)
    .split(',')
    .filter((file) => file !== '');
  if (name === '' || files.length === 0) throw new InvalidArgumentError('It must be a name and files: walk=walk.pc2.');
  const clips = before.clips ?? [];
  if (clips.some((clip) => clip.name === name)) throw new InvalidArgumentError(`There are two clips named '${name}'.`);
  return { ...before, clips: [...clips, { name, files }] };
}
