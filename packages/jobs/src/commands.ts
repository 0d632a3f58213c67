/** The commands. A table is loaded when it is asked for; to list the commands takes nothing. */
import type { Table } from './request/table.ts';

interface Entry<T extends Table> {
  readonly summary: string;
  readonly table: () => Promise<T>;
}

function entry<T extends Table>(summary: string, table: () => Promise<T>): Entry<T> {
  return { summary, table };
}

export const COMMANDS = {
  info: entry(
    'what is in a file: format, vertices, frames, joints, clips, bounds',
    async () => (await import('./info/table.ts')).INFO,
  ),
  convert: entry('one sequence format to another', async () => (await import('./convert/table.ts')).CONVERT),
  fit: entry(
    'bones, weights and baked animation from a mesh animation',
    async () => (await import('./fit/table.ts')).FIT,
  ),
  skeleton: entry(
    'joints and a hierarchy, weights and rotations from a mesh animation',
    async () => (await import('./skeleton/table.ts')).SKELETON,
  ),
  reduce: entry(
    'fewer weights, virtual bones, fewer keys, fewer bytes, judged on the surface',
    async () => (await import('./reduce/table.ts')).REDUCE,
  ),
  sliders: entry(
    'bones that follow the sliders of a face, from its blend shapes',
    async () => (await import('./sliders/table.ts')).SLIDERS,
  ),
  envelope: entry(
    'learn pose-dependent skin from examples',
    async () => (await import('./envelope/table.ts')).ENVELOPE,
  ),
  volume: entry(
    'deform a closed mesh by a skeleton, preserving its volume',
    async () => (await import('./volume/table.ts')).VOLUME,
  ),
  puppet: entry('retarget a performance to a character', async () => (await import('./puppet/table.ts')).PUPPET),
  clean: entry('smooth animations, plant feet, close loops', async () => (await import('./clean/table.ts')).CLEAN),
  pose: entry('pose a character by points of its skin', async () => (await import('./pose/table.ts')).POSE),
  compare: entry('every metric between two animations', async () => (await import('./compare/table.ts')).COMPARE),
  study: entry(
    'all methods on your own data: errors, times, sizes, as tables and a page',
    async () => (await import('./study/table.ts')).STUDY,
  ),
  view: entry(
    'pictures, films and pages of files, alone or beside their original',
    async () => (await import('./view/table.ts')).VIEW,
  ),
};

export type CommandName = keyof typeof COMMANDS;

export type TableOf<C extends CommandName> = Awaited<ReturnType<(typeof COMMANDS)[C]['table']>>;

export type { Kind } from './request/kinds.ts';
export { flagOf, type Input, type Option, type Output, type Table } from './request/table.ts';
