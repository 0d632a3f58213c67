import { realpathSync } from 'node:fs';
import { UsageError } from '@pelt/model';

/** An output that is one of the inputs is a slip of the hand: what went in would be gone. */
export function refuseToReplace(outputs: readonly string[], inputs: readonly string[]): void {
  const read = new Set(inputs.map(realPath));
  for (const output of outputs) {
    if (read.has(realPath(output))) {
      throw new UsageError(`the output '${output}' would replace an input; choose another name`);
    }
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
