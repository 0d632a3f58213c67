import { exitCodeOf, PeltError } from '@pelt/model';
import type { PlainError } from './protocol.ts';

/** A fault of pelt's own, or a machine at its limits, counts as a numeric failure. */
export const FAULT_EXIT_CODE = 5;

/** Any thrown thing as one line, an exit code, and where it came from. */
export function plainError(error: unknown): PlainError {
  const { message, stack, code } =
    error instanceof Error ? (error as Error & { code?: string }) : { message: String(error), stack: '', code: '' };
  if (error instanceof PeltError) return { message, exitCode: exitCodeOf(error), stack: stackOf(error) };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || /allocation failed|invalid array length|out of memory/i.test(message)) {
    return {
      message: 'out of memory; use fewer frames or a smaller mesh',
      exitCode: FAULT_EXIT_CODE,
      stack: stack ?? '',
    };
  }
  return {
    message: `a fault of pelt itself: ${message}; run it again with --debug and report what it prints`,
    exitCode: FAULT_EXIT_CODE,
    stack: stack ?? '',
  };
}

/** The stack of an error and of what caused it. */
function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
