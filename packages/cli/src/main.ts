import { runProgram } from './program.ts';

/**
 * The command line from its arguments to its exit code.
 *
 * @param args  without the names of Node and of the script
 */
export async function main(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`pelt info … | head -1`) closes the pipe: that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    return await runProgram(args);
  } catch (error) {
    // Loaded only now: it brings the model with it, and help should not have to wait for that.
    const { plainError } = await import('./thread/plain-error.ts');
    const { reportFailure } = await import('./shell/report-failure.ts');
    return reportFailure(plainError(error), { json: args.includes('--json'), debug: args.includes('--debug') });
  }
}
