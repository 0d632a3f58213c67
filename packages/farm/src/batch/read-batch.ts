/** A batch file: one job a line, as JSON, checked by the tables that check the command line. */
import { checkRequest, type JobRequest } from '@pelt/jobs';
import { UsageError } from '@pelt/model';

export interface BatchJob {
  /** Its name in `after` and in every list: `id`, or the line. */
  readonly id: string;
  readonly request: JobRequest;
  /** Where its result goes; from the request. */
  readonly output: string | undefined;
  /** Jobs that end first. */
  readonly after: readonly string[];
  /** Jobs of a larger number are run first. */
  readonly priority: number;
}

const FIELDS = ['id', 'command', 'inputs', 'options', 'output', 'after', 'priority'];

/**
 * Reads and checks a batch. Empty lines and lines that start with `#` are skipped.
 *
 * @param name  of the file, for messages
 * @throws UsageError that names the line
 * @example
 * {@includeCode ../../examples/batch.ts}
 */
export async function readBatch(text: string, name: string): Promise<BatchJob[]> {
  const jobs: BatchJob[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    try {
      jobs.push(await readLine(line, index + 1));
    } catch (error) {
      throw new UsageError(`${name}, line ${index + 1}: ${(error as Error).message}`, { cause: error });
    }
  }
  if (jobs.length === 0) throw new UsageError(`${name} has no jobs; give one JSON object a line`);
  checkNames(jobs, name);
  checkOrder(jobs, name);
  return jobs;
}

async function readLine(line: string, number: number): Promise<BatchJob> {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError('a job is an object');
  const unknown = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (unknown) throw new UsageError(`a job has no '${unknown}'; it has ${FIELDS.join(', ')}`);
  const { id = `line ${number}`, after = [], priority = 0, ...request } = value;
  if (typeof id !== 'string' || id === '') throw new UsageError(`id is ${JSON.stringify(id)}; it must be a text`);
  if (!Array.isArray(after) || !after.every((entry) => typeof entry === 'string')) {
    throw new UsageError(`after is ${JSON.stringify(after)}; it must be a list of ids`);
  }
  if (typeof priority !== 'number' || !Number.isInteger(priority) || Math.abs(priority) > 1000) {
    throw new UsageError(`priority is ${JSON.stringify(priority)}; it must be a whole number from -1000 to 1000`);
  }
  const { checked } = await checkRequest(request);
  return { id, request: request as unknown as JobRequest, output: checked.output, after, priority };
}

function checkNames(jobs: readonly BatchJob[], name: string): void {
  const ids = new Set<string>();
  const outputs = new Map<string, string>();
  for (const { id, output } of jobs) {
    if (ids.has(id)) throw new UsageError(`${name}: two jobs are called '${id}'`);
    ids.add(id);
    const other = output && outputs.get(output);
    if (other) throw new UsageError(`${name}: '${other}' and '${id}' both write '${output}'`);
    if (output) outputs.set(output, id);
  }
  for (const { id, after } of jobs) {
    const missing = after.find((entry) => !ids.has(entry));
    if (missing) throw new UsageError(`${name}: '${id}' comes after '${missing}', and there is no such job`);
  }
}

/** Every job can be reached: none waits for itself, by whatever way. */
function checkOrder(jobs: readonly BatchJob[], name: string): void {
  const waiting = new Map(jobs.map(({ id, after }) => [id, new Set(after)]));
  for (let before = -1; waiting.size !== before; ) {
    before = waiting.size;
    for (const [id, after] of waiting) {
      for (const other of after) if (!waiting.has(other)) after.delete(other);
      if (after.size === 0) waiting.delete(id);
    }
  }
  const [stuck] = waiting.keys();
  if (stuck !== undefined)
    throw new UsageError(`${name}: '${stuck}' waits for itself, through ${[...waiting.keys()].join(', ')}`);
}
