/** What the two threads of a command say to each other: plain data only. */
import type { Progress } from '@pelt/model';
import type { CompareReport, CompareRequest } from '../jobs/compare.ts';
import type { ConvertReport, ConvertRequest } from '../jobs/convert.ts';
import type { EnvelopeReport, EnvelopeRequest } from '../jobs/envelope.ts';
import type { FitReport, FitRequest } from '../jobs/fit.ts';
import type { InfoReport, InfoRequest } from '../jobs/info.ts';
import type { PoseReport, PoseRequest } from '../jobs/pose.ts';
import type { PuppetReport, PuppetRequest } from '../jobs/puppet.ts';
import type { ReduceReport, ReduceRequest } from '../jobs/reduce.ts';
import type { SkeletonReport, SkeletonRequest } from '../jobs/skeleton.ts';
import type { VolumeReport, VolumeRequest } from '../jobs/volume.ts';

/** Every job: what it is asked, what it reports. */
export interface Jobs {
  readonly info: { readonly request: InfoRequest; readonly report: InfoReport };
  readonly convert: { readonly request: ConvertRequest; readonly report: ConvertReport };
  readonly compare: { readonly request: CompareRequest; readonly report: CompareReport };
  readonly pose: { readonly request: PoseRequest; readonly report: PoseReport };
  readonly envelope: { readonly request: EnvelopeRequest; readonly report: EnvelopeReport };
  readonly fit: { readonly request: FitRequest; readonly report: FitReport };
  readonly skeleton: { readonly request: SkeletonRequest; readonly report: SkeletonReport };
  readonly reduce: { readonly request: ReduceRequest; readonly report: ReduceReport };
  readonly puppet: { readonly request: PuppetRequest; readonly report: PuppetReport };
  readonly volume: { readonly request: VolumeRequest; readonly report: VolumeReport };
}

export type JobName = keyof Jobs;

/** What every report has beside its job's own fields. */
export interface CommonReport {
  readonly warnings: readonly string[];
  /** Most memory the process held at any time. */
  readonly peakMegabytes: number;
}

export type Report<Name extends JobName> = Jobs[Name]['report'] & CommonReport;

/** Main thread → worker, when it starts. */
export interface JobOrder<Name extends JobName = JobName> {
  readonly name: Name;
  readonly request: Jobs[Name]['request'];
  /** Where the report goes as a file too. */
  readonly reportFile: string | undefined;
  /** One Int32; not 0: stop. */
  readonly cancel: SharedArrayBuffer;
}

/** An error across the border between threads, where classes are lost. */
export interface PlainError {
  readonly message: string;
  readonly exitCode: number;
  readonly stack: string;
}

/** Worker → main thread. */
export type JobMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'warning'; readonly message: string }
  /** About to be made: to be removed should the worker have to be ended. */
  | { readonly type: 'temporary'; readonly path: string }
  | { readonly type: 'committed' }
  | { readonly type: 'done'; readonly report: unknown }
  | { readonly type: 'failed'; readonly error: PlainError };
