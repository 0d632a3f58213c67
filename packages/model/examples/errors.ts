import {
  CancelledError,
  exitCodeOf,
  InputError,
  NumericError,
  OutputError,
  PeltError,
  UnsupportedError,
  UsageError,
} from '@pelt/model';

// Everything that pelt throws on purpose is a PeltError; its class says whose fault it was.
const codes = new Map<PeltError, number>([
  [new UsageError("decompose: unknown option 'bonse'"), 1],
  [new InputError("mesh 'arm': positions hold NaN at vertex 7"), 2],
  [new UnsupportedError('the file uses NURBS'), 3],
  [new OutputError("'out.glb' cannot be written"), 4],
  [new NumericError('the matrix is singular'), 5],
  [new CancelledError(), 130],
]);
for (const [error, code] of codes) {
  if (!(error instanceof PeltError) || exitCodeOf(error) !== code) throw error;
}
