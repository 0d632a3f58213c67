/** A fit in chunks as a batch: the bones, parts of the weights beside each other, and what joins them. */
import { UsageError } from '@pelt/model';

/**
 * The lines of a batch that fits one mesh, larger than memory, on several machines.
 *
 * @param job    a fit as a line of a batch has it
 * @param parts  of the weights, which run beside each other
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export function splitFit(
  job: {
    readonly command: string;
    readonly inputs: readonly string[];
    readonly output: string;
    readonly options?: object;
  },
  parts: number,
): object[] {
  if (job.command !== 'fit') throw new UsageError(`split is for fit; '${job.command}' has no stages`);
  const { command, inputs, options, output } = job;
  const stem = output.replace(/\.[^./\\]+$/, '');
  const bones = `${stem}-bones.part`;
  const stages = Array.from({ length: parts }, (_, k) => ({
    id: `${k + 1}/${parts}`,
    output: `${stem}-${k + 1}of${parts}.part`,
  }));
  return [
    { id: 'bones', command, inputs, output: bones, options: { ...options, stage: 'bones' } },
    ...stages.map(({ id, output: own }) => ({
      id,
      command,
      inputs,
      output: own,
      options: { ...options, stage: id, from: [bones] },
      after: ['bones'],
    })),
    {
      id: 'join',
      command,
      inputs,
      output,
      options: { ...options, stage: 'join', from: [bones, ...stages.map(({ output: own }) => own)] },
      after: stages.map(({ id }) => id),
    },
  ];
}
