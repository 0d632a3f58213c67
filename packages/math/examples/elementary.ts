import { acos, asin, atan2, cbrt, cos, exp, exponentAbove, exponentOf, log, sin, tan } from '@pelt/math';

// As in Math, but with the same last bit in every engine.
const close = (a: number, b: number) => Math.abs(a - b) < 1e-15;
if (!close(sin(1) ** 2 + cos(1) ** 2, 1) || !close(tan(Math.PI / 4), 1)) throw new Error('on the unit circle');
if (!close(atan2(1, -1), (3 * Math.PI) / 4)) throw new Error('in the second quadrant');
if (!close(asin(0.5), Math.PI / 6) || !close(acos(0.5), Math.PI / 3)) throw new Error('in the unit interval');
if (!close(exp(log(2)), 2) || !close(cbrt(27), 3)) throw new Error('and back');
if (exponentAbove(5) !== 3 || exponentOf(5) !== 2 || exponentOf(0.25) !== -2) throw new Error('exact');
