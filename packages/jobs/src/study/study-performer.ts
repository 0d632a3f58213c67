/** `pelt study` of a performer's recording: tables on what the projections of a puppet make of it. */
import { linearRigOf, type Motion, stageOf, UsageError } from '@pelt/model';
import { fillGaps, type ProjectionTable, studyProjections } from '@pelt/skin/puppet';
import { openCharacter } from '../input/open-character.ts';
import type { Job } from '../job.ts';
import { readAnyMotion } from '../puppet/read-any-motion.ts';
import type { Checked } from '../request/table.ts';
import { PAGE_STYLE } from './study-page.ts';
import { type Column, csvOf, escaped, htmlTable } from './study-tables.ts';
import type { STUDY } from './table.ts';

export interface PerformerStudy {
  readonly motion: string;
  readonly frames: number;
  readonly joints: number;
  readonly tables: readonly ProjectionTable[];
}

/** Recordings of performers; caches and meshes have other endings. */
export function isRecording(inputs: readonly string[]): boolean {
  return inputs.length === 1 && /\.(?:bvh|vrma|csv|txt|json)$/i.test(inputs[0]);
}

export async function studyPerformer(
  { inputs: [path], options }: Checked<typeof STUDY>,
  job: Job,
): Promise<PerformerStudy> {
  const { methods, rig, examples: count } = options;
  if (methods) throw new UsageError(`--methods are for meshes; '${path}' is a recording of a performer`);
  const read = await readAnyMotion(
    path,
    job.files.read(path),
    { ...options, aspect: undefined, depth: undefined },
    job,
  );
  const { motion } = fillGaps(read);
  const context = stageOf(job.context, 0.1, 1);
  const tables =
    rig === undefined ? studyProjections({ motion }, { count }, context) : await ofCharacter(rig, motion, job);
  return { motion: path, frames: motion.times.length, joints: motion.joints.length, tables };
}

/** By the pairs that a character was saved with. */
async function ofCharacter(path: string, motion: Motion, job: Job): Promise<ProjectionTable[]> {
  const { character } = await openCharacter(path, job);
  const pairs = character.puppet?.pairs;
  if (!pairs) throw new UsageError(`'${path}' has no pairs of poses; save it by pelt puppet --save-pairs`);
  return studyProjections({ motion, pairs, character: linearRigOf(character) }, undefined, job.context);
}

export function performerPage({ motion, frames, joints, tables }: PerformerStudy): string {
  const parts = tables.map(
    (table) =>
      `<h2>${escaped(table.title)}</h2>\n<p>${escaped(table.note)}</p>\n${htmlTable(columnsOf(table), [table.rows])}`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(motion)}: a study of projections</title>
<style>${PAGE_STYLE}</style>
<h1>${escaped(motion)}</h1>
<p>${frames} frames of ${joints} joints.</p>
${parts.join('\n')}
</html>
`;
}

/** All tables in one: a line for each figure. */
export function performerCsv({ tables }: PerformerStudy): string {
  const rows = tables.flatMap(({ title, columns, rows: own }) =>
    own.flatMap(({ name, values }) => values.map((value, k) => ({ title, name, column: columns[k], value }))),
  );
  const lines: Column<(typeof rows)[number]>[] = [
    { heading: 'table', of: ({ title }) => title },
    { heading: 'row', of: ({ name }) => name },
    { heading: 'column', of: ({ column }) => column },
    { heading: 'value', of: ({ value }) => value },
  ];
  return csvOf(lines, rows);
}

function columnsOf({ columns }: ProjectionTable): Column<ProjectionTable['rows'][number]>[] {
  return [
    { heading: '', of: ({ name }) => name },
    ...columns.map(
      (heading, k): Column<ProjectionTable['rows'][number]> => ({
        heading,
        of: ({ values }) => Number(values[k].toFixed(4)),
      }),
    ),
  ];
}
