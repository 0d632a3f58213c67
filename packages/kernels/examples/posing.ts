import { PoseProducts, ShapeBlend, TurnedForces } from '@pelt/kernels';
import { openNumerics } from '@pelt/math';

// One proxy, one example: it stretches by a half along x and does not turn.
const numerics = await openNumerics();
const scope = numerics.scope();
const stretches = Float64Array.of(0.5, 0, 0, 0, 0, 0);
const blend = new ShapeBlend(numerics, scope, 1, 1, new Float64Array(3), stretches);
const stride = 3 * blend.width;
const gradients = scope.f64(3 * stride);
blend.derivatives(Float64Array.of(0.4), gradients, stride);
// Element (0, 0) of m − I is 0.4 · 0.5; behind it is its derivative by β.
if (Math.abs(gradients.view[0] - 0.2) > 1e-12 || gradients.view[1] !== 0.5) throw new Error('0.2 and 0.5');

// GᵀW X with G = [I; 0], one 4 × 3 block of one control, and a weight of 2.
const rows = { starts: [0, 1], controls: [0], blocks: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] };
const products = new PoseProducts(numerics, scope, rows, 1);
products.setWeights(Float64Array.of(2));
const out = scope.f64(4 * stride);
products.transposed(gradients, stride, out);
if (Math.abs(out.view[0] - 0.4) > 1e-12 || out.view[1] !== 1) throw new Error('twice the first row');

// A force along x in one region that has turned by 90° about z, fully on.
const forces = new TurnedForces(numerics, scope, [[0]], 1);
forces.beta.view[1] = 1;
forces.turns.view.set([0, -1, 0, 1, 0, 0, 0, 0, 1]);
forces.forces.view[1] = 3;
const sum = scope.f64(4);
forces.add(sum, 4);
if (sum.view[0] !== 0 || sum.view[1] !== 3) throw new Error('along y');
scope.dispose();
numerics.close();
