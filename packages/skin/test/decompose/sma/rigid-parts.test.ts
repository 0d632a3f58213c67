import { describe, expect, it } from 'vitest';
import { rigidParts } from '../../../src/decompose/sma/rigid-parts.ts';
import { edgeGraph } from '../../../src/shared/mesh/edge-graph.ts';
import { type Motion, movingBoxes } from '../moving-boxes.ts';

const ANGLE = 0.1;

/** Parts where all vertices are of one mode, or of the modes given box by box. */
function partsOf(motions: readonly Motion[], modes: readonly number[], smallest = 1) {
  const sequence = movingBoxes(4, motions);
  const n = sequence.rest.positions.length / 3;
  const each = n / motions.length;
  const modeOf = Int32Array.from({ length: n }, (_, i) => modes[Math.floor(i / each)]);
  const graph = edgeGraph(sequence.rest.triangles, n);
  return { ...rigidParts(sequence, graph, modeOf, ANGLE, smallest), each };
}

const still: Motion = () => ({ turn: 0, move: [0, 0, 0] });
const rising: Motion = (t) => ({ turn: 0, move: [0, t, 0] });

describe('rigidParts', () => {
  it('puts shells that move as one into one part', () => {
    const { count, partOf } = partsOf([still, still, still], [0, 0, 0]);
    expect(count).toBe(1);
    expect(partOf.every((part) => part === 0)).toBe(true);
  });

  it('takes shells apart that turn alike and go different ways', () => {
    const { count, partOf, each } = partsOf([still, rising, still], [0, 0, 0]);
    expect(count).toBe(2);
    // The first and third box are the larger part together.
    expect([partOf[0], partOf[each], partOf[2 * each]]).toEqual([0, 1, 0]);
  });

  it('keeps modes apart, however they move', () => {
    expect(partsOf([still, still], [0, 1]).count).toBe(2);
  });

  it('has no part for what belongs to no mode, or is too small', () => {
    const { count, partOf, each } = partsOf([still, still], [0, -1]);
    expect(count).toBe(1);
    expect(partOf.subarray(each).every((part) => part === -1)).toBe(true);
    expect(partsOf([still, rising], [0, 0], 1000).count).toBe(0);
  });
});
