import { openNumerics } from '@pelt/math';
import { afterAll, describe, expect, it } from 'vitest';
import { LinearBlend } from '../../src/index.ts';
import { plainLinearBlend } from '../oracles/skinning.ts';
import { skinnedCloud } from './scene.ts';

const numerics = await openNumerics({ threads: 2 });
afterAll(() => numerics.close());

describe('linear blend kernel', () => {
  it('gives the rest pose for identity bones, exactly', () => {
    const rest = Float32Array.of(1, 2, 3, -4, 5, 0.5);
    const blend = new LinearBlend(numerics, rest, Uint16Array.of(0, 1, 1, 0), Float32Array.of(0.25, 0.75, 1, 0), 2);
    const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
    expect(blend.pose(identity)).toEqual(rest);
    blend.dispose();
  });

  it.each([1, 2, 3, 7, 64, 65, 5000])('equals the plain twin on %i vertices', (n) => {
    const cloud = skinnedCloud(n, n, 9, 1, 4);
    const rest = Float32Array.from(cloud.rest);
    const [bones, weights] = [Uint16Array.from(cloud.bones), Float32Array.from(cloud.weights)];
    const blend = new LinearBlend(numerics, rest, bones, weights, 9);
    const plain = plainLinearBlend(rest, bones, weights, cloud.transforms, new Float32Array(3 * n));
    const mine = blend.pose(cloud.transforms);
    for (let k = 0; k < plain.length; k++) expect(Math.abs(mine[k] - plain[k])).toBeLessThan(2e-6);
    blend.dispose();
  });

  it.each([1, 2, 3, 5000])('adds morph targets to %i vertices before it blends', (n) => {
    const cloud = skinnedCloud(n, n, 9, 1, 4);
    const rest = Float32Array.from(cloud.rest);
    const [bones, weights] = [Uint16Array.from(cloud.bones), Float32Array.from(cloud.weights)];
    const deltas = [1, 2, 3].map((e) => rest.map((value, k) => Math.sin(e * value + k)));
    const shares = [0.5, -0.25, 2];
    const blend = new LinearBlend(numerics, rest, bones, weights, 9, deltas);
    const morphed = rest.map((value, k) => deltas.reduce((sum, delta, e) => sum + shares[e] * delta[k], value));
    const plain = plainLinearBlend(morphed, bones, weights, cloud.transforms, new Float32Array(3 * n));
    const mine = blend.pose(cloud.transforms, shares);
    for (let k = 0; k < plain.length; k++) expect(Math.abs(mine[k] - plain[k])).toBeLessThan(4e-6);
    expect(() => blend.pose(cloud.transforms)).toThrow(/0 shares for 3/);
    blend.dispose();
    expect(() => new LinearBlend(numerics, rest, bones, weights, 9, [new Float32Array(2)])).toThrow(/morph target/);
  });

  it('refuses a bone that is not there', () => {
    expect(() => new LinearBlend(numerics, new Float32Array(3), Uint16Array.of(2), Float32Array.of(1), 2)).toThrow(
      /not below 2/,
    );
  });
});
