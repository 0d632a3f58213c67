import { UsageError } from '@pelt/model';
import type { Files } from '../files/files.ts';

/** An output that is one of the inputs is a slip of the hand: what went in would be gone. */
export function refuseToReplace(files: Files, outputs: readonly string[], inputs: readonly string[]): void {
  const read = new Set(inputs.map((path) => files.identify(path)));
  for (const output of outputs) {
    const identity = files.identify(output);
    if (identity !== undefined && read.has(identity)) {
      throw new UsageError(`the output '${output}' would replace an input; choose another name`);
    }
  }
}
