export { scanObjFrame } from '@pelt/io';
export { COMMANDS, type CommandName, type TableOf } from './commands.ts';
export { BlobFiles, type BlobLike } from './files/blob-files.ts';
export { cannotRead, type FileState, type Files, type PathRules, POSIX_PATHS } from './files/files.ts';
export { MemoryFiles } from './files/memory-files.ts';
export { AnimationFile } from './input/animation-file.ts';
export type { InputOptions, LoadedSequence } from './input/load-sequence.ts';
export {
  type MatchedRig,
  type OpenedAnimation,
  openAnimation,
  openMatchedRig,
  type ReadingHost,
} from './input/open-for-view.ts';
export { OpenedFiles } from './input/opened-files.ts';
export type { ScanFrames, ScanWatcher } from './job.ts';
export { MemoryOutputs, type Outputs, type WrittenFile } from './outputs/outputs.ts';
export type { LiveCharacter, LiveFrame, LiveStreams, OpenStreams } from './puppet/live-streams.ts';
export { checkRequest, type JobRequest } from './request/check-request.ts';
export { type RequestFiles, requestFiles } from './request/request-files.ts';
export { requestJsonSchema } from './request/request-schema.ts';
export type { Checked, Option, Table } from './request/table.ts';
export { type JobHost, type Report, runJob } from './run-job.ts';
export { openShapes, type ShapesOptions } from './sliders/open-shapes.ts';
