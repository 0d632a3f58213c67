/**
 * Examples that are given as handles on the skin, in place of sculpts: JSON with vertices and where they are dragged to,
 * each solved in the pose space that there is already.
 */
import type { Poser, Run } from '@pelt/model';
import { type AddedExample, createPoseSession, extendPoser, type Handle } from '@pelt/skin/pose';
import * as z from 'zod/mini';
import type { Job } from '../job.ts';
import { point, readJson } from './read-json.ts';

const FORM = '{ "examples": [{ "name": "bow", "handles": { "12": [x, y, z] } }] }';

const schema = z.object({
  examples: z
    .array(
      z.object({
        name: z.string().check(z.minLength(1)),
        handles: z.record(z.string().check(z.regex(/^\d+$/)), point),
      }),
    )
    .check(z.minLength(1)),
});

export interface HandleExample {
  readonly name: string;
  readonly handles: readonly Handle[];
}

/** Gap of a handle that is met, in model sizes. */
const MET = 0.01;

export function isHandleFile(path: string): boolean {
  return /\.json$/i.test(path);
}

export function readHandleExamples(path: string, job: Pick<Job, 'files'>): HandleExample[] {
  return readJson(path, job, schema, FORM).examples.map(({ name, handles }) => ({
    name,
    handles: handleList(handles),
  }));
}

/** Handles as they stand in JSON: places by the number of a vertex. */
export function handleList(handles: Readonly<Record<string, readonly [number, number, number]>>): Handle[] {
  return Object.entries(handles).map(([vertex, target]) => ({ vertex: Number(vertex), target }));
}

/** Controls and surface of each example, as posing by its handles finds them. */
export function solveHandles(
  poser: Poser,
  examples: readonly HandleExample[],
  run: Run,
  { warn }: Pick<Job, 'warn'>,
): Required<AddedExample>[] {
  // With one or two handles the rest stays where it is; where they cannot be reached so, the body goes along.
  return examples.map(({ name, handles }) => {
    const first = solve(poser, name, handles, true, run);
    const { example, gap } = first.gap > MET * poser.size ? solve(poser, name, handles, false, run) : first;
    if (gap > MET * poser.size) {
      warn(`example '${name}': a handle is ${gap.toPrecision(2)} from its place, which the examples do not reach`);
    }
    return example;
  });
}

/** The poser with further examples from files of handles. */
export function withHandleExamples(
  poser: Poser,
  files: readonly string[],
  { proxies }: { readonly proxies: number },
  run: Run,
  job: Job,
): Poser {
  if (files.length === 0) return poser;
  const added = solveHandles(
    poser,
    files.flatMap((file) => readHandleExamples(file, job)),
    run,
    job,
  );
  return extendPoser({ poser, added }, { proxies }, run);
}

interface Solved {
  readonly example: Required<AddedExample>;
  /** Largest distance of a handle from its place. */
  readonly gap: number;
}

function solve(poser: Poser, name: string, handles: readonly Handle[], stays: boolean, run: Run): Solved {
  const session = createPoseSession(poser, { stays }, run);
  try {
    session.setHandles(handles);
    session.step();
    const positions = session.positions(new Float32Array(poser.rig.mesh.positions.length));
    const transforms = session.pose().transforms.slice();
    return {
      example: { name, transforms, positions },
      gap: Math.max(...handles.map((_, c) => session.handleError(c))),
    };
  } finally {
    session.dispose();
  }
}
