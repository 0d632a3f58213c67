/** Files in memory that jobs read and write, as a folder is to a command line. */
import type { Progress } from '@pelt/model';
import type { CommandName } from '../src/commands.ts';
import { MemoryFiles } from '../src/files/memory-files.ts';
import { MemoryOutputs } from '../src/outputs/outputs.ts';
import type { JobRequest } from '../src/request/check-request.ts';
import { type JobHost, type Report, runJob } from '../src/run-job.ts';

/** Path → bytes. */
export type TestFiles = Record<string, Uint8Array<ArrayBuffer>>;

export interface Ran<C extends CommandName> {
  readonly report: Report<C>;
  readonly progress: readonly Progress[];
  /** Paths, in the order in which they were named. */
  readonly written: readonly string[];
}

export class Workspace {
  readonly files: MemoryFiles;

  constructor(files: TestFiles = {}) {
    this.files = new MemoryFiles(files);
  }

  /** Runs a job; what it writes can be read by the next one. */
  async run<C extends CommandName>(request: JobRequest<C>, host: Partial<JobHost> = {}): Promise<Ran<C>> {
    const outputs = new MemoryOutputs();
    const progress: Progress[] = [];
    const report = await runJob(request, {
      files: this.files,
      outputs,
      ...host,
      onProgress: (state) => {
        progress.push(state);
        host.onProgress?.(state);
      },
    });
    for (const [path, bytes] of outputs.files) this.files.set(path, Uint8Array.from(bytes));
    return { report, progress, written: [...outputs.files.keys()] };
  }

  /** Runs a job that is told to stop when it reports a stage. */
  cancelAt<C extends CommandName>(request: JobRequest<C>, stage: RegExp): Promise<Ran<C>> {
    const signal = { aborted: false };
    return this.run(request, {
      signal,
      onProgress: (state) => {
        signal.aborted ||= stage.test(state.stage);
      },
    });
  }

  put(path: string, content: Uint8Array<ArrayBuffer> | string): void {
    this.files.set(path, typeof content === 'string' ? utf8(content) : content);
  }

  read(path: string): Uint8Array<ArrayBuffer> {
    return this.files.read(path);
  }

  text(path: string): string {
    return new TextDecoder().decode(this.read(path));
  }

  has(path: string): boolean {
    return this.files.identify(path) !== undefined;
  }
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
