/** How a run that failed is told: a line for people, an object for programs that asked for JSON. */
import { printable, printableJson } from '../terminal/printable.ts';
import type { PlainError } from '../thread/protocol.ts';

export interface FailureOptions {
  readonly json?: boolean | undefined;
  readonly debug?: boolean | undefined;
}

/** @returns the exit code */
export function reportFailure({ message, exitCode, stack }: PlainError, { json, debug }: FailureOptions): number {
  const plain = withoutFunction(message);
  process.stderr.write(`error: ${printable(plain)}\n`);
  if (debug) process.stderr.write(`${stack.split('\n').map(printable).join('\n')}\n`);
  if (json) process.stdout.write(`${printableJson({ error: { message: plain, exitCode } })}\n`);
  return exitCode;
}

/** Errors begin with the function that refused, for those who called it; who typed a command did not. */
export function withoutFunction(message: string): string {
  return message.replace(/^[a-z]+(?:[A-Z][a-z0-9]*)+(?:\(\))?: /, '');
}
