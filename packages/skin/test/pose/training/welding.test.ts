import { validatePoser, weldSequence } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { withSeams, withVertices } from '../../with-seams.ts';
import { creatureExamples } from '../scenes.ts';

describe('a poser of a mesh with seams', () => {
  it('is that of the welded mesh, vertex for vertex', () => {
    const seams = withSeams(creatureExamples(8, { detail: 0.08 }));
    const weld = weldSequence(seams.sequence);
    const { rest } = weld.sequence;
    const options = { proxies: 30 };
    const welded = { rig: withVertices(seams.rig, rest, weld.first), clip: seams.clip, examples: weld.sequence };
    const expected = buildPoser(welded, options);
    const poser = buildPoser({ ...seams, examples: seams.sequence }, options);
    validatePoser(poser);
    expect(poser.rig).toEqual(seams.rig);
    expect(poser.vertexProxies).toEqual(weld.map.map((i) => expected.vertexProxies[i]));
    expect(poser.blocks).toEqual(expected.blocks);
    expect(poser.exampleLogs).toEqual(expected.exampleLogs);
    poser.exampleDetails.forEach((detail, e) => {
      expect(detail.slice(0, 3)).toEqual(expected.exampleDetails[e].slice(3 * weld.map[0], 3 * weld.map[0] + 3));
    });
  });
});
