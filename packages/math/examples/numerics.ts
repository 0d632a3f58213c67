import { CancelledError, NumericError, Numerics, openNumerics, PeltError, ScopeOwner } from '@pelt/math';

// Opened once and kept: it compiles the kernels and starts the threads.
const numerics = await openNumerics({ threads: 2 });
if (!(numerics instanceof Numerics) || numerics.threads !== 2) throw new Error('two threads, this one included');

// Kernels work on blocks of their own memory. A scope owns blocks and frees them together.
const scope = numerics.scope();
const [values, sums] = [scope.f64From([1, 2, 3, 4, 5]), scope.f64(3)];
numerics.run('sumOfChunk', 5, 2, [values.pointer, sums.pointer, 2]); // a parallel for over chunks of 2
if (sums.view.join() !== '3,7,5') throw new Error('one sum per chunk, whatever the number of threads');

// What needs such memory for longer owns a scope.
class Doubled extends ScopeOwner {
  readonly values = this.scope.f64From(values.view.map((value) => 2 * value));
}
const doubled = new Doubled(numerics);
if (doubled.values.view[4] !== 10) throw new Error('a copy of its own');
doubled.dispose();

// Between chunks it looks at its signal.
numerics.signal = { aborted: true };
try {
  numerics.run('sumOfChunk', 5, 2, [values.pointer, sums.pointer, 2]);
  throw new Error('not reached');
} catch (error) {
  if (!(error instanceof CancelledError) || !(error instanceof PeltError)) throw error;
}
numerics.signal = undefined;
scope.dispose();
numerics.close();

const refused = await openNumerics({ threads: 0.5 }).catch((error: unknown) => error);
if (!(refused instanceof NumericError)) throw new Error('half a thread is refused');
