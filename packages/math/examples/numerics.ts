import {
  CancelledError,
  NumericError,
  Numerics,
  openNumerics,
  PeltError,
  polarDecompositions,
  ScopeOwner,
} from '@pelt/math';

// Opened once and kept: it compiles the kernels and starts the threads.
const numerics = await openNumerics({ threads: 2 });
if (!(numerics instanceof Numerics) || numerics.threads !== 2) throw new Error('two threads, this one included');

// Kernels work on blocks of their own memory. A scope owns blocks and frees them together.
const scope = numerics.scope();
const values = scope.f64From([2, 0, 0, 0, 3, 0, 0, 0, 4]);
const [rotations, stretches] = [scope.f64(9), scope.f64(9)];
polarDecompositions(numerics, 1, values, rotations, stretches); // a parallel for over matrices, here one
if (stretches.view[4] !== 3) throw new Error('a diagonal matrix is a stretch');

// What needs such memory for longer owns a scope.
class Doubled extends ScopeOwner {
  readonly values = this.scope.f64From(values.view.map((value) => 2 * value));
}
const doubled = new Doubled(numerics);
if (doubled.values.view[4] !== 6) throw new Error('a copy of its own');
doubled.dispose();

// Between chunks it looks at its signal.
numerics.signal = { aborted: true };
try {
  polarDecompositions(numerics, 1, values, rotations, stretches);
  throw new Error('not reached');
} catch (error) {
  if (!(error instanceof CancelledError) || !(error instanceof PeltError)) throw error;
}
numerics.signal = undefined;
scope.dispose();
numerics.close();

const refused = await openNumerics({ threads: 0.5 }).catch((error: unknown) => error);
if (!(refused instanceof NumericError)) throw new Error('half a thread is refused');
