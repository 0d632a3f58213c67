/** `-` for a file: the standard input is kept in a file of its own while the job runs, the standard output is copied from one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@pelt/model';

export const PIPE = '-';

export interface PipedRequest {
  readonly inputs: readonly string[];
  readonly output?: string | undefined;
}

/** Files that stand for the pipes of a request. */
export class Pipes {
  readonly #folder = mkdtempSync(join(tmpdir(), 'pelt-pipe-'));
  readonly #input = join(this.#folder, 'stdin');
  readonly #output = join(this.#folder, 'stdout.glb');

  /** The request with files for pipes; reads the standard input to its end. */
  replaced<R extends PipedRequest>(request: R): R {
    const { inputs, output } = request;
    if (inputs.filter((path) => path === PIPE).length > 1) {
      throw new UsageError("'-' is the standard input, which can be read once; give it for one file");
    }
    if (inputs.includes(PIPE)) writeFileSync(this.#input, readFileSync(0));
    return {
      ...request,
      inputs: inputs.map((path) => (path === PIPE ? this.#input : path)),
      ...(output === PIPE && { output: this.#output }),
    };
  }

  /** Writes the output of a job that has ended well. */
  async write(): Promise<void> {
    const bytes = readFileSync(this.#output);
    await new Promise<void>((resolve) => process.stdout.write(bytes, () => resolve()));
  }

  /** A report or a message with pipes in place of their files. */
  named(text: string): string {
    return text.replaceAll(this.#input, PIPE).replaceAll(this.#output, PIPE);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function hasPipes({ inputs, output }: PipedRequest): boolean {
  return inputs.includes(PIPE) || output === PIPE;
}
