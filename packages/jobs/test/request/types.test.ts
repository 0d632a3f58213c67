/** The types of requests are those of the tables. */
import { describe, expectTypeOf, it } from 'vitest';
import type { CommandName, TableOf } from '../../src/commands.ts';
import type { JobRequest } from '../../src/request/check-request.ts';
import type { NamedClip } from '../../src/request/shared-options.ts';
import type { Checked, Values } from '../../src/request/table.ts';
import type { Report } from '../../src/run-job.ts';

type Given<C extends CommandName> = NonNullable<JobRequest<C>['options']>;

describe('types', () => {
  it('of values that a job gets: a default is there, other options may be absent', () => {
    type Fit = Values<TableOf<'fit'>>;
    expectTypeOf<Fit['method']>().toEqualTypeOf<'ssdr' | 'affine' | 'sma' | 'lssp'>();
    expectTypeOf<Fit['bones']>().toEqualTypeOf<number | 'auto' | undefined>();
    expectTypeOf<Fit['weights']>().toEqualTypeOf<number>();
    expectTypeOf<Fit['restPose']>().toEqualTypeOf<'keep' | 'near' | 'free'>();
    expectTypeOf<Fit['clip']>().toEqualTypeOf<string | (string | NamedClip)[] | undefined>();
    expectTypeOf<Values<TableOf<'puppet'>>['motion']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Values<TableOf<'skeleton'>>['root']>().toEqualTypeOf<number | [number, number, number] | undefined>();
    expectTypeOf<Values<TableOf<'envelope'>>['train']>().toEqualTypeOf<number[] | 'all'>();
    expectTypeOf<keyof Values<TableOf<'info'>>>().toEqualTypeOf<never>();
  });

  it('of outputs: there where they are required', () => {
    expectTypeOf<Checked<TableOf<'fit'>>['output']>().toEqualTypeOf<string>();
    expectTypeOf<Checked<TableOf<'pose'>>['output']>().toEqualTypeOf<string | undefined>();
  });

  it('of what a program gives: only what is required', () => {
    expectTypeOf<Record<never, never>>().toExtend<Given<'fit'>>();
    expectTypeOf<{ motion: string }>().toExtend<Given<'puppet'>>();
    expectTypeOf<{ motion: number }>().not.toExtend<Given<'puppet'>>();
    expectTypeOf<{ bones: string }>().not.toExtend<Given<'skeleton'>>();
    expectTypeOf<{ command: 'fit'; inputs: string[]; output: string }>().toExtend<JobRequest>();
    expectTypeOf<{ command: 'fitt'; inputs: string[] }>().not.toExtend<JobRequest>();
  });

  it('of reports', () => {
    expectTypeOf<Report<'fit'>['bones']>().toEqualTypeOf<number>();
    expectTypeOf<Report<'info'>['warnings']>().toEqualTypeOf<readonly string[]>();
  });
});
